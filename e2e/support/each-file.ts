import { beforeEach } from 'vitest'
import { platformTenant } from '#contract/kernel/platform.ts'
import { saveTraces } from './browser.ts'
import { becomeTenant } from './tenant.ts'

// Runs before every test file, also where the process has run others before.
becomeTenant(platformTenant)

// After the hooks of the file, whatever they throw.
beforeEach(({ onTestFailed }) => onTestFailed(saveTraces))
