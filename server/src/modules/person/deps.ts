import type { AuthModule } from '#modules/auth/index.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { FlowEngine } from '#modules/flow/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { SignupModule } from '#modules/signup/index.ts'
import type { Services } from '#server/services.ts'

export interface PersonDeps {
  readonly services: Services
  readonly auth: AuthModule
  readonly file: FileModule
  readonly flow: FlowEngine
  readonly message: MessageModule
  readonly signup: Pick<SignupModule, 'releaseNumber' | 'correctPerson'>
}
