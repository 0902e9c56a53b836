import { examItem, fileKind, item, signFile, signItem, typeCode, userCode } from '#contract/exam/exam.resources.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { crud } from '#kernel/crud/crud.ts'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { FileModule } from '#modules/file/index.ts'
import { seamsOf } from './exam-part.ts'
import { formFields, formFilesOf } from './form-parts.ts'
import { librarySeamsOf } from './library-seams.ts'
import { paperOf } from './paper-part.ts'
import { post } from './post-part.ts'

export interface Nouns {
  readonly handlers: readonly Handler[]
  /** Lists nested in an examination, by their name in its body. */
  readonly nested: Readonly<
    Record<'signitems' | 'signfiles' | 'examitems', { readonly resource: Resource; readonly handlers: readonly Handler[] }>
  >
}

export const createNouns = (cipher: FieldCipher, file: FileModule): Nouns => {
  const librarySeams = librarySeamsOf(file)
  const nested = {
    signitems: { resource: signItem, handlers: crud(signItem, seamsOf(formFields)) },
    signfiles: { resource: signFile, handlers: crud(signFile, seamsOf(formFilesOf(file))) },
    examitems: { resource: examItem, handlers: crud(examItem, seamsOf(paperOf(cipher))) },
  }
  return {
    nested,
    handlers: [
      ...crud(userCode, librarySeams.userCode),
      ...crud(item, librarySeams.item),
      ...crud(fileKind, librarySeams.fileKind),
      ...crud(typeCode, seamsOf(post)),
      ...Object.values(nested).flatMap(list => list.handlers),
    ],
  }
}
