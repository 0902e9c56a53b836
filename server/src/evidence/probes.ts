import type { Label } from '#contract/kernel/label.ts'
import { accessProbes } from './probes/access.ts'
import { auditProbes } from './probes/audit.ts'
import { dataProbes } from './probes/data.ts'
import { identityProbes } from './probes/identity.ts'
import { operationProbes } from './probes/operation.ts'
import type { Installation, Reading } from './reading.ts'

export interface Probe {
  readonly title: Label
  readonly read: (at: Installation) => Promise<Reading>
}

/** Every live look at the installation, by the name that clauses use. */
export const probes = { ...identityProbes, ...accessProbes, ...auditProbes, ...dataProbes, ...operationProbes } as const
export type ProbeId = keyof typeof probes
