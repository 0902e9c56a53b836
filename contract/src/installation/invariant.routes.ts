import { type Static, Type } from 'typebox'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, named, nullable, optional, strict, text } from '../kernel/schema.ts'

const S = Type.String()
const I = Type.Integer()

const checkName = named({ zh: '核对项', en: 'Check' }, text(60, { minLength: 1 }))

/** How a run went: 1 goes on, 2 done, 3 stopped, 4 failed. */
export const runStates = { running: 1, done: 2, stopped: 3, failed: 4 } as const

/** A run of the checks. */
const run = Type.Object({
  id: S,
  state: I,
  /** Steps of it: a check of a tenant is one. */
  total: I,
  done: I,
  found: I,
  /** Account of who ordered it; empty for the hourly one. */
  startedBy: S,
  startTime: S,
  endTime: nullable(S),
  problem: S,
})
export type InvariantRun = Static<typeof run>

/** What should be true of all data, and whether it was when it was last looked at. */
const line = Type.Object({
  name: S,
  label: S,
  /** What it means when it does not hold. */
  means: S,
  /** Rows that do not agree, of all tenants the caller looks after. */
  found: I,
  /** There are more than `found`. */
  isMore: Type.Boolean(),
  /** Empty while it was never looked at. */
  checkTime: S,
  tookMs: I,
  /** Why it could not be looked at; empty where it was. */
  problem: S,
  /** What sets its rows right; empty where the paper says what to do. */
  healer: S,
})
export type InvariantLine = Static<typeof line>

const because = 'who looks after the installation checks the data of all tenants'
const asked = (staff: 'invariant_view' | 'invariant_heal') => ({ staff, reachesAll: 'asked', because }) as const

const list = defineRoute({
  method: 'GET',
  path: '/blade-system/invariant/list',
  access: asked('invariant_view'),
  input: strict({}),
  output: Type.Object({
    lines: Type.Array(line),
    /** The newest run that looked at the caller’s data. */
    run: nullable(run),
    /** The caller looks after the whole installation. */
    isAll: Type.Boolean(),
  }),
  tx: 'own',
  background: true,
  means: 'what should be true of all data, with how many rows do not agree, and the newest run',
})

const finding = Type.Object({
  id: S,
  /** Of the check. */
  name: S,
  tenantId: S,
  tenantName: S,
  /** Key of the row. */
  rowId: S,
  rowName: S,
  found: S,
  expected: S,
  /** Page of the console that shows it; empty without one. */
  link: S,
  firstTime: S,
  lastTime: S,
})
export type InvariantFinding = Static<typeof finding>

const findings = defineRoute({
  method: 'GET',
  path: '/blade-system/invariant/findings',
  access: asked('invariant_view'),
  input: strict({ ...pageInput, name: optional(checkName) }),
  output: pageOf(finding),
  tx: 'own',
  background: true,
  means: 'the rows that do not agree, of one check or of all, the oldest finding first',
})
const start = defineRoute({
  method: 'POST',
  path: '/blade-system/invariant/run',
  access: { staff: 'invariant_run', reachesAll: 'always', because },
  input: strict({}),
  output: Type.Object({ id: S }),
  tx: 'own',
  means: 'checks the data now: all of them for who looks after the installation, those of the own tenant otherwise',
})
const stop = defineRoute({
  method: 'POST',
  path: '/blade-system/invariant/stop',
  access: { staff: 'invariant_run', reachesAll: 'always', because },
  input: strict({}),
  output: Type.Object({ id: S }),
  tx: 'own',
  means: 'stops the run that goes on; what it has found stays',
})
const heal = defineRoute({
  method: 'POST',
  path: '/blade-system/invariant/heal',
  access: asked('invariant_heal'),
  input: strict({ name: checkName, id: optional(id()) }),
  output: Type.Object({ healed: I, left: I }),
  tx: 'own',
  means: 'sets right the rows of a check, or one of them, and looks again; to do it twice changes nothing more',
})

export const invariants = { list, findings, start, stop, heal } as const
export const invariantRoutes = Object.values(invariants)
