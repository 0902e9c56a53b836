import type { TenantDb } from '#kernel/db/scope.ts'
import type { Session } from '#kernel/http/context.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'
import type { Boards } from './boards.ts'

export interface NewsDeps {
  readonly services: Services
  readonly file: FileModule
  readonly message: Pick<MessageModule, 'notifyAll' | 'latest' | 'confirm'>
  readonly authenticate: (token: string, now: Date, activity: boolean) => Promise<Session | undefined>
  /** Public pages of examinations, for the list of addresses. */
  readonly publicPages: (tenantId: string) => Promise<readonly { readonly path: string; readonly changedAt: Date }[]>
  readonly parametersOf: (db: TenantDb, keys: readonly string[]) => Promise<Readonly<Record<string, string>>>
  /**
   * Who is to be hired, of an examination whose people went through medical check and vetting: undefined where nobody did, and then totals say it. Who was
   * named by which list is told back, since a list must have been public before a hire.
   */
  readonly hireList: {
    readonly people: (db: TenantDb, examId: string) => Promise<readonly string[] | undefined>
    readonly published: (db: TenantDb, examId: string, noticeId: string, signupIds: readonly string[]) => Promise<void>
  }
}
export type NewsKit = NewsDeps & { readonly boards: Boards }
