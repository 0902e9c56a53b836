import { Type } from 'typebox'
import { nounOf, shows } from '../kernel/field-rule.ts'
import { defineRoute } from '../kernel/route.ts'
import { named, optional, strict, text } from '../kernel/schema.ts'
import { attach } from './attach.resource.ts'
import { maxUploadBytes } from './file.routes.ts'

const S = Type.String()

const stored = Type.Object({ link: S, domain: S, name: S, originalName: S, attachId: S })
const code = optional(named({ zh: '资源编号', en: 'Code of the storage' }, text(30)))
const fileName = named({ zh: '文件名', en: 'File name' }, text(255, { minLength: 1 }))
const files = [{ name: 'file', maxBytes: maxUploadBytes, maxCount: 1 }] as const

const putAttach = defineRoute({
  method: 'POST',
  path: '/blade-resource/oss/endpoint/put-file-attach',
  access: { staff: 'attach_upload' },
  input: strict({ code }),
  output: stored,
  files,
  tx: 'own',
  keyed: 'own',
  means: 'stores a file and lists it among the attachments',
})
const putAttachByName = defineRoute({
  method: 'POST',
  path: '/blade-resource/oss/endpoint/put-file-attach-by-name',
  access: { staff: 'attach_upload' },
  input: strict({ fileName, code }),
  output: stored,
  files,
  tx: 'own',
  keyed: 'own',
  means: 'the same under a name of the caller’s choice',
})

const ofPicture = { signedIn: true, because: 'as put-file: the file belongs to the uploader' } as const
const putByName = defineRoute({
  method: 'POST',
  path: '/blade-resource/oss/endpoint/put-file-by-name',
  access: ofPicture,
  input: strict({ fileName }),
  output: stored,
  files,
  tx: 'own',
  keyed: 'own',
  means: 'put-file under a name of the caller’s choice',
})
const putDetail = defineRoute({
  method: 'POST',
  path: '/blade-resource/oss/endpoint/put-file-detail',
  access: ofPicture,
  input: strict({}),
  output: Type.Object({ ...stored.properties, length: Type.Integer(), contentType: S }),
  files,
  tx: 'own',
  keyed: 'own',
  means: 'put-file that tells size and type as well',
})

/** One's own files, and attachments for whoever may download them; anything else is not there. */
const ofReader = { signedIn: true, because: 'the handler lets pass one’s own files and, by right, attachments' } as const
/** A stored name as put-file-attach answers it, an id, or a link of ours. */
const oneFile = strict({ fileName })
const filePath = defineRoute({
  method: 'GET',
  path: '/blade-resource/oss/endpoint/file-path',
  access: ofReader,
  input: oneFile,
  output: S,
  tx: 'own',
  means: 'the link of a file for this reader, without the host',
})
const fileLink = defineRoute({
  method: 'GET',
  path: '/blade-resource/oss/endpoint/file-link',
  access: ofReader,
  input: oneFile,
  output: S,
  tx: 'own',
  means: 'a ticket by which a program fetches an attachment without a session, one minute long; of any other file its link',
})
const statFile = defineRoute({
  method: 'GET',
  path: '/blade-resource/oss/endpoint/stat-file',
  access: ofReader,
  input: oneFile,
  output: Type.Object({ link: S, name: shows(nounOf(attach), 'originalName', S), length: Type.Integer(), putTime: S, contentType: S }),
  tx: 'own',
  means: 'what is known of a file',
})
const fileContent = defineRoute({
  method: 'GET',
  path: '/blade-resource/oss/endpoint/file-content',
  access: ofReader,
  input: oneFile,
  output: Type.Unknown(),
  answer: 'file',
  kinds: ['jpg', 'png', 'pdf', 'xlsx', 'docx'],
  tx: 'own',
  means: 'the bytes of a file',
})
const removeFile = defineRoute({
  method: 'POST',
  path: '/blade-resource/oss/endpoint/remove-file',
  access: { staff: 'attach_delete' },
  input: oneFile,
  output: Type.Object({ removed: Type.Integer() }),
  tx: 'own',
  means: 'removes an attachment by its stored name',
})
const removeFiles = defineRoute({
  method: 'POST',
  path: '/blade-resource/oss/endpoint/remove-files',
  access: { staff: 'attach_delete' },
  input: strict({ fileNames: named({ zh: '文件名', en: 'File names' }, text(8_000, { minLength: 1 })) }),
  output: Type.Object({ removed: Type.Integer() }),
  tx: 'own',
  means: 'removes attachments by their stored names, commas between them; all or none',
})
const copyFile = defineRoute({
  method: 'POST',
  path: '/blade-resource/oss/endpoint/copy-file',
  access: { staff: 'attach_upload' },
  input: oneFile,
  output: stored,
  tx: 'own',
  means: 'a second attachment with the same content',
})
const bucket = strict({
  bucketName: named({ zh: '空间名', en: 'Bucket' }, text(63, { pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' })),
  code,
})
const makeBucket = defineRoute({
  method: 'POST',
  path: '/blade-resource/oss/endpoint/make-bucket',
  access: { staff: 'oss_edit' },
  input: bucket,
  output: Type.Object({ bucketName: S }),
  tx: 'own',
  means: 'makes a bucket at the service of a storage',
})
const removeBucket = defineRoute({
  method: 'POST',
  path: '/blade-resource/oss/endpoint/remove-bucket',
  access: { staff: 'oss_delete' },
  input: bucket,
  output: Type.Object({ bucketName: S }),
  tx: 'own',
  means: 'removes an empty bucket that no storage uses',
})

export const attachCalls = { putAttach, putAttachByName, putByName, putDetail } as const
export const endpointCalls = {
  ...{ filePath, fileLink, statFile, fileContent, removeFile, removeFiles, copyFile },
  ...{ makeBucket, removeBucket },
} as const
export const attachRoutes = [...Object.values(attachCalls), ...Object.values(endpointCalls)]
