import { type Static, Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { nullable, optional, strict } from '../kernel/schema.ts'

/** What may wait for a member of staff, in the order in which it is shown. */
export const todoKeys = [
  'drafts',
  'reviewFirst',
  'reviewSecond',
  'returned',
  'refunds',
  'waivers',
  'postings',
  'payAlarms',
  'unreconciled',
  'invoices',
  'ticketsToRelease',
  'resultsToRelease',
  'corrections',
  'proposals',
  'reductions',
  'approvals',
  'registrations',
  'rechecks',
  'calls',
  'rooms',
  'groupOpen',
  'alerts',
  'exports',
  'tasks',
  'claims',
] as const
export type TodoKey = (typeof todoKeys)[number]

/** The ends a running examination comes to. */
export const deadlineKinds = ['signEnd', 'modifyEnd', 'examineEnd', 'payEnd', 'adjustEnd', 'ticketEnd', 'msTicketEnd', 'paper'] as const
export type DeadlineKind = (typeof deadlineKinds)[number]

const todo = Type.Object({
  key: Type.Enum(todoKeys),
  count: Type.Integer(),
  /** Of sessions in rooms, how many rooms they are in. */
  rooms: optional(Type.Integer()),
  /** When the oldest of them began to wait, of rooms when the next paper begins; null where nothing waits or nobody knows. */
  oldestTime: nullable(Type.String()),
  /** The examination where it waits: work begins there. Null where nothing waits or it belongs to no examination. */
  examId: nullable(Type.String()),
  examName: nullable(Type.String()),
  /** Of the menu that has the work; null when the caller has no such menu. */
  path: nullable(Type.String()),
})
const deadline = Type.Object({
  examId: Type.String(),
  examName: Type.String(),
  kind: Type.Enum(deadlineKinds),
  /** Names of the first two papers that begin then; empty for windows. */
  paper: Type.String(),
  /** How many papers begin then; 0 for windows. */
  papers: Type.Integer(),
  time: Type.String(),
  /** Of the menu where the caller works towards it; null when the caller has no such menu. */
  path: nullable(Type.String()),
})

const sum = Type.Object({ count: Type.Integer(), fen: Type.Integer() })
const installation = Type.Object({
  /** When the data of the last good backup is of; null where there is none. */
  backupTime: nullable(Type.String()),
  /** Older than the operator allows, or there is none where there should be one. */
  isBackupOld: Type.Boolean(),
  /** Hours that a backup may be old. */
  backupMaxHours: Type.Integer(),
  /** When the data is of that the installation was restored to, while nothing is sent; null otherwise. */
  restoredTime: nullable(Type.String()),
})
/** The console's first page: what waits for the caller, what ends next, what is unread. */
export const homeOfStaff = defineRoute({
  method: 'GET',
  path: '/me/home',
  access: { signedIn: true, because: 'each number is counted only for who may do that work; candidates get empty lists' },
  input: strict({}),
  output: Type.Object({
    serverTime: Type.String(),
    unreadCount: Type.Integer(),
    todos: Type.Array(todo),
    deadlines: Type.Array(deadline),
    /** What came in and went back since midnight, for whoever looks after money; null for everybody else. */
    today: nullable(Type.Object({ since: Type.String(), received: sum, refunded: sum })),
    /** Of the whole installation, for the three roles above the tenants; null for everybody else. */
    installation: nullable(installation),
  }),
  tx: 'read',
  background: true,
})
export type HomeOfStaff = Static<(typeof homeOfStaff)['output']>

export const homeRoutes = [homeOfStaff] as const
