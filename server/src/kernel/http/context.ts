import type { Readable } from 'node:stream'
import { refuse } from '#contract/kernel/errors.ts'
import type { FieldRules } from '#contract/kernel/field-rule.ts'
import type { Label, Language } from '#contract/kernel/label.ts'
import type { MediaKind } from '#contract/kernel/media-types.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf, OutputOf, Route } from '#contract/kernel/route.ts'
import type { Account } from '../admission/gate.ts'
import type { TenantDb } from '../db/scope.ts'
import type { ByteRange } from '../files/store.ts'
import type { SheetBook } from '../sheet/write-sheet.ts'
import type { ZipEntry } from '../zip.ts'
import type { Client } from './client.ts'
import { fieldGate, ruledBook } from './field-rule.ts'
import type { RowRule } from './row-scope.ts'
import type { KeptAnswer } from './written-answer.ts'

/** Who is calling: what a valid access token stands for. Read from the database at most every 5 s and dropped on notice. */
export interface Session {
  readonly id: string
  readonly tenantId: string
  readonly userId: string
  /** 1 staff, 2 candidate, 3 service account. */
  readonly userType: 1 | 2 | 3
  readonly account: string
  readonly nickName: string
  readonly realName: string
  readonly roleIds: readonly string[]
  readonly roleAliases: ReadonlySet<string>
  readonly permissions: ReadonlySet<string>
  /** Rules that narrow the rows of a noun, of all roles; see `row-scope.ts`. */
  readonly rowRules: readonly RowRule[]
  /** Nouns with rules, of which one of the roles sees every row all the same. */
  readonly wideResources: readonly string[]
  /** Fields that are seen in part or not at all; see `field-rule.ts`. */
  readonly fieldRules: FieldRules
  /** Fields that are shown through their masks and may be searched for all the same. */
  readonly shownMasked?: FieldRules | undefined
  /** Its client has conditions that a list does not know left out, and is told so; for any other they are refused. */
  readonly ignoresUnknownConditions?: boolean
  /** Calls, as `POST /path`, that are kept for roles the caller does not have. */
  readonly closedCalls: readonly string[]
  /** Unit, site or school codes that narrow what a member of staff sees; the candidate's number for userType 2. */
  readonly userCode: string | null
  readonly userCodes: readonly string[]
  /** The caller's departments as chosen, comma-joined. */
  readonly deptId: string | null
  /** Departments that narrow what is reached, with all below them; null: nothing is narrowed by department. */
  readonly departments: readonly string[] | null
  /** Row of the person at the provider that the login came through. */
  readonly socialId: string | null
  readonly locked: boolean
  /** Logged in with a one-time password: nothing but its change is answered. */
  readonly mustChangePassword: boolean
}

/** Somebody whom a provider knows and who has no account here yet. */
export interface Guest {
  readonly id: string
  readonly tenantId: string
  /** Row of the person at the provider. */
  readonly socialId: string
  readonly account: string
  readonly nickName: string
}

/** One uploaded part, complete on disk before the handler runs. The kernel deletes the temporary file afterwards. */
export interface ReceivedFile {
  readonly part: string
  readonly name: string
  readonly path: string
  readonly sizeBytes: number
  /** Of the content, in hex. */
  readonly sha256: string
}

export interface Ctx {
  readonly tenantId: string
  readonly session: Session | undefined
  /** Set in routes that guests may call, and then there is no session. */
  readonly guest: Guest | undefined
  readonly language: Language
  /** When the headers arrived: the instant every window is judged by. */
  readonly arrivedAt: Date
  readonly ip: string
  /** Who says that this is the caller's address. */
  readonly addressBy: Client['by']
  /** Host and port that the caller asked for. */
  readonly host: string
  readonly userAgent: string
  readonly traceId: string
  readonly files: readonly ReceivedFile[]
  /** The body as it came, of a route declared with `rawBody`; otherwise empty. */
  readonly rawBody: Buffer
  readonly header: (name: string) => string | undefined
  /** Sets a response header or a cookie line. */
  readonly reply: (name: string, value: string) => void
  /** The text in the caller's language. */
  readonly say: (label: Label) => string
  /** Of a log-in, before its session is opened: whether the place in the queue that let it in may be used for this account. */
  readonly claimPlace: (account: Account) => Promise<Refusal | undefined>
  /** Transactions of a route declared with `tx: 'own'`. */
  readonly tx: <T>(work: (db: TenantDb) => Promise<T>) => Promise<T>
  /** The same in the name of the system, for what the caller's own role may not touch. Every use says why. */
  readonly asSystem: <T>(because: string, work: (db: TenantDb) => Promise<T>) => Promise<T>
  /** Whether this call may act for the platform, of a route whose access says that it can. */
  readonly actsForPlatform: () => boolean
}

/** What a route with `answer: 'file'` returns. */
export interface FileAnswer {
  /** A function gives any part of what is stored, so that a download that broke off goes on where it was; it needs `sizeBytes` and `version`. */
  readonly body: Readable | Buffer | ((range?: ByteRange) => Promise<Readable>)
  readonly mime: string
  readonly name: string
  readonly sizeBytes?: number
  /** The same bytes have the same text here: a download goes on with these bytes or begins anew. */
  readonly version?: string
  /** Shown in the browser instead of saved; only for images and PDF. */
  readonly inline?: boolean
}

/** What a route with `answer: 'plain'` returns: the caller's protocol knows no envelope. */
export interface PlainAnswer {
  readonly status: number
  readonly json?: object
  readonly text?: string
}

/** The caller holds the current answer already: 304 without a body. */
export const notModified = Symbol('not modified')
export type NotModified = typeof notModified

export interface Call<R extends Route> {
  readonly ctx: Ctx
  readonly input: InputOf<R>
  /** The transaction of the request; reading it in a `tx: 'own'` route is a defect. */
  readonly db: TenantDb
}
/** A handler may answer what it was lent to read: rows of a repository, a list of the contract. */
type Lent<T> = T extends readonly (infer One)[] ? readonly Lent<One>[] : T extends object ? { readonly [K in keyof T]: Lent<T[K]> } : T
type AnswerOf<R extends Route> = R extends { readonly answer: 'file' } ? FileAnswer : Lent<OutputOf<R>>

/** An export before its first row is read. Above the limit of decision 4.7, or its own, it is written in the background and not sent. */
interface PlannedExport {
  readonly fileName: string
  /** Rows it will have, the header not counted; of an archive the people or things whose files it holds. */
  readonly total: number
  /** The audit line; the number of rows is added to `after`. */
  readonly audit: {
    readonly action: string
    readonly entity: string
    readonly entityId: string | null
    readonly after: Readonly<Record<string, unknown>>
    readonly reason?: string
  }
  /** More rows than this are written in the background; without it the tenant's parameter decides. */
  readonly mostInline?: number
  /** Somebody else who holds this right has to agree before anything is written (domain P13). */
  readonly approval?: ExportApproval
}
export interface ExportApproval {
  readonly right: string
  /** What is asked for, as the other person reads it. */
  readonly what: Label
  readonly reason: string
}
/** Its rows are read while they are written, in transactions of their own. */
export interface SheetExport extends PlannedExport {
  readonly book: SheetBook
}
/** One group of files a row. What the reader's rules mask is masked by whoever makes the files. */
export interface ArchiveExport extends PlannedExport {
  readonly archive: AsyncIterable<readonly ZipEntry[]>
  /** Of one row with one file the file itself is sent and no archive: its kind. */
  readonly alone?: MediaKind
  /** Sent in its place where it is not written in the background: all of it in one document. */
  readonly whole?: () => Promise<FileAnswer>
}
export type ExportPlan = SheetExport | ArchiveExport

export interface Handler<R extends Route = Route> {
  readonly route: R
  readonly run: (call: Call<R>) => Promise<unknown>
  /** Present for exports: what `run` would send, so that the queue can write it as well. */
  readonly plan?: (call: Pick<Call<R>, 'ctx' | 'input'>) => Promise<ExportPlan | Refusal>
}

/**
 * Binds a route to what it does. A refusal returned or thrown rolls the transaction back. What the caller's roles see of the fields in question
 * is settled here, so that no handler can forget it and nothing that runs a handler goes around it.
 */
export const handle = <const R extends Route>(
  route: R,
  run: (call: Call<R>) => Promise<AnswerOf<R> | FileAnswer | KeptAnswer | NotModified | Refusal>,
): Handler => {
  const gate = fieldGate(route)
  // Nothing was removed of what was named: it is not there, or not the caller's. Success would say otherwise.
  const isRemoval = route.method === 'POST' && route.path.endsWith('/remove')
  const told = (value: unknown): unknown =>
    isRemoval && (value as { removed?: unknown } | undefined)?.removed === 0 ? refuse('kernel/not-found', {}) : value
  const seen = async (call: Call<R>): Promise<unknown> =>
    gate.refuse(call.ctx, call.input) ?? gate.show(call.ctx.session, told(await run(call)))
  return { route, run: seen } as unknown as Handler
}

/** Binds a route to a workbook or an archive. `plan` may run again in the queue, with the caller's rights of the moment of the order. */
export const handleExport = <const R extends Route>(
  route: R,
  plan: (call: Pick<Call<R>, 'ctx' | 'input'>) => Promise<ExportPlan | Refusal>,
): Handler => {
  const gate = fieldGate(route)
  const seen = async (call: Pick<Call<R>, 'ctx' | 'input'>): Promise<ExportPlan | Refusal> => {
    const planned = gate.refuse(call.ctx, call.input) ?? (await plan(call))
    return isRefusal(planned) || !('book' in planned) ? planned : { ...planned, book: ruledBook(call.ctx.session, planned.book) }
  }
  return { route, run: () => Promise.reject(new Error(`${route.path} is answered by its plan`)), plan: seen } as unknown as Handler
}

/** The same for a route declared with `answer: 'plain'`. */
export const handlePlain = <const R extends Route>(route: R, run: (call: Call<R>) => Promise<PlainAnswer | Refusal>): Handler =>
  ({ route, run }) as unknown as Handler

/** Carries a refusal out of a command: TypeScript has no other way to leave several calls at once. */
export class Refused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}
/** Whoever calls a route that is closed to nobodies. A route that guests may call as well refuses them here. */
export const sessionOf = (ctx: Ctx): Session => {
  if (!ctx.session) throw new Refused(refuse('kernel/no-token', {}))
  return ctx.session
}

/** Returns a decision's value or leaves the command with its refusal. */
export const accepted = <T>(decision: T | Refusal): T => {
  if (isRefusal(decision)) throw new Refused(decision)
  return decision
}
