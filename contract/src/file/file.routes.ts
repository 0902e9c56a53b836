import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { id, named, nullable, optional, strict, text } from '../kernel/schema.ts'

/** One automatic finding about a portrait; wording is the screen's. */
const photoFinding = Type.Object({ rule: Type.String(), ok: Type.Boolean(), got: Type.String() })

const storedFileView = Type.Object({
  fileId: Type.String(),
  link: Type.String(),
  domain: Type.String(),
  name: Type.String(),
  originalName: Type.String(),
  sizeBytes: Type.Integer(),
  mime: Type.String(),
  sha256: Type.String(),
  /** Present for portraits. */
  checks: nullable(Type.Array(photoFinding)),
})

/** Of one file; purposes have lower limits. */
export const maxUploadBytes = 10_240 * 1024
const maxBytes = maxUploadBytes

/** One file at a time; a repeated Idempotency-Key stores nothing twice (decision 3.16). */
export const uploadFile = defineRoute({
  method: 'POST',
  path: '/file/upload',
  keepsPlace: true,
  access: { signedIn: true, because: 'candidates and staff both attach files; the file belongs to the uploader' },
  input: strict({
    purpose: optional(
      Type.Union([Type.Literal('photo'), Type.Literal('image'), Type.Literal('document'), Type.Literal('workbook')], {
        'x-label': { zh: '文件用途', en: 'Purpose' },
      }),
    ),
    name: optional(named({ zh: '文件名', en: 'File name' }, text(255))),
  }),
  output: storedFileView,
  files: [{ name: 'file', maxBytes, maxCount: 1 }],
  tx: 'own',
  keyed: 'own',
})
/**
 * A picture of one's own (S2.51, S5.29): jpg or png by its content, at most 512,000 bytes (decision 3.8), encoded anew. `link` shows it for
 * ten minutes; `attachId` is what update-info stores.
 */
export const putFile = defineRoute({
  method: 'POST',
  path: '/blade-resource/oss/endpoint/put-file',
  access: { signedIn: true, because: 'everybody has an avatar; the file belongs to the uploader' },
  input: strict({}),
  output: Type.Object({
    link: Type.String(),
    domain: Type.String(),
    name: Type.String(),
    originalName: Type.String(),
    attachId: Type.String(),
  }),
  files: [{ name: 'file', maxBytes, maxCount: 1 }],
  tx: 'own',
  keyed: 'own',
})
/**
 * By a signed link, bound to its reader and ten minutes: with the session of that reader, in the header or in the cookie of our pages. The ticket of
 * `file-link`, with `k`, opens an attachment by itself for a minute, while the session goes on that it was made in.
 */
export const readFile = defineRoute({
  method: 'GET',
  path: '/file/:id',
  access: { public: true, because: 'the signature of the link and that its reader is logged in are checked by the handler' },
  input: strict({ id: id(), s: text(80), u: id(), t: text(12), k: optional(id()) }),
  output: Type.Unknown(),
  answer: 'file',
  kinds: ['jpg', 'png', 'pdf', 'xlsx', 'docx', 'zip'],
  tx: 'own',
})
export const fileRoutes = [uploadFile, putFile, readFile] as const
