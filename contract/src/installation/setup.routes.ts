import { type Static, Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { named, strict } from '../kernel/schema.ts'

const S = Type.String()

/** What a new installation needs before the first examination, in the order in which it is set up. */
export const setupSteps = ['people', 'sms', 'payment', 'storage', 'servers', 'proxies', 'journal', 'backup', 'address', 'clock'] as const
export type SetupStep = (typeof setupSteps)[number]

const because = 'the installation is set up by who looks after it'

/** `missing`: not set up. `untried`: set up, and nobody has tried it. `failed`: the last try failed. `done`: tried, and it works. `leftOut`: somebody said that it is not needed. */
const step = Type.Object({
  step: Type.Enum([...setupSteps]),
  state: Type.Enum(['missing', 'untried', 'failed', 'done', 'leftOut']),
  label: S,
  /** What to do, and where. */
  help: S,
  /** What stands there now, read from the running system. */
  now: S,
  /** What “try it” does. */
  trial: S,
  /** Page of the console on which it is set up; empty for what the server's environment says. */
  link: S,
  /** Words of the button that leaves the step out; empty for one that every installation needs. */
  leaveOut: S,
  /** What came of the last try; empty without one. */
  said: S,
  triedBy: S,
  triedTime: S,
})
export type SetupView = Static<typeof step>

const list = defineRoute({
  method: 'GET',
  path: '/blade-system/setup/list',
  access: { staff: 'setup_view', platform: true, because },
  input: strict({}),
  output: Type.Object({
    steps: Type.Array(step),
    /** The home page begins with them while one is open: in production. A demo has nothing to be set up. */
    isOnHome: Type.Boolean(),
  }),
  tx: 'own',
  background: true,
  means: 'what the installation needs before its first examination, with the state of each read from the running system',
})
const attempt = defineRoute({
  method: 'POST',
  path: '/blade-system/setup/try',
  access: { staff: 'setup_try', platform: true, because },
  input: strict({ step: named({ zh: '步骤', en: 'Step' }, Type.Enum([...setupSteps])) }),
  output: step,
  tx: 'own',
  means:
    'tries one of them for real: sends a text, asks the payment provider, writes a file, connects; who tried and what came of it is kept',
})

const leaveOut = defineRoute({
  method: 'POST',
  path: '/blade-system/setup/leave-out',
  access: { staff: 'setup_try', platform: true, because },
  input: strict({ step: named({ zh: '步骤', en: 'Step' }, Type.Enum([...setupSteps])) }),
  output: step,
  tx: 'own',
  means:
    'says that the office does without one of them, such as payment where nothing is charged; who said so and when is kept, and a try takes it back',
})

export const setup = { list, attempt, leaveOut } as const
export const setupRoutes = Object.values(setup)
