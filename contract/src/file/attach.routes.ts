import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { named, optional, strict, text } from '../kernel/schema.ts'
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

export const attachCalls = { putAttach, putAttachByName } as const
export const attachRoutes = Object.values(attachCalls)
