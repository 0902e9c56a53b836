import type { TenantDb } from '#kernel/db/scope.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'

export interface SelectionDeps {
  readonly file: Pick<FileModule, 'findMany' | 'keep' | 'keepUpload' | 'linkFor' | 'spare'>
  readonly message: Pick<MessageModule, 'notify' | 'notifyEach' | 'sendSmsByDay' | 'sendSmsTo' | 'confirm' | 'tell' | 'toldAt'>
  readonly parametersOf: (db: TenantDb, keys: readonly string[]) => Promise<Readonly<Record<string, string>>>
}
export interface SelectionKit extends SelectionDeps {
  readonly services: Services
}
/** What is needed to tell people of a call. */
export interface Telling {
  readonly message: Pick<SelectionDeps['message'], 'notify' | 'notifyEach' | 'sendSmsByDay'>
}
