import { refuse } from '#contract/kernel/errors.ts'
import { type Label, label } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { Refused } from './context.ts'
import { jsonFaultOf } from './json-fault.ts'

type BodyReason = 'kernel/unreadable-body' | 'kernel/media-type' | 'kernel/too-large'

/** One of the refusals of a body, with what is wrong with this one and how to mend it. */
export const refuseBody = (reason: BodyReason, text: Label): Refusal => ({ ...refuse(reason, {}), text })
const unreadable = (text: Label): Refused => new Refused(refuseBody('kernel/unreadable-body', text))

const charsetOf = (contentType: string): string | undefined => /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]?.toLowerCase()

/** Refuses what announces another encoding than UTF-8, or that it is compressed: read all the same, it would be other words. */
export const bodyProblem = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): Refusal | undefined => {
  const encoding = String(headers['content-encoding'] ?? '').trim()
  if (encoding !== '' && !/^identity$/i.test(encoding))
    return refuseBody(
      'kernel/media-type',
      label(
        `请求内容不能压缩（Content-Encoding: ${encoding}），请发送未压缩的内容`,
        `A body must not be compressed (Content-Encoding: ${encoding}); send it as it is`,
      ),
    )
  const charset = charsetOf(String(headers['content-type'] ?? ''))
  if (charset !== undefined && !/^(utf-?8|us-ascii|ascii)$/.test(charset))
    return refuseBody(
      'kernel/media-type',
      label(`不支持字符集 ${charset}，请用 UTF-8 编码后发送`, `The charset ${charset} is not supported; encode the body as UTF-8`),
    )
  return undefined
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws Refused with the place of the first byte that is no UTF-8 */
const textOf = (bytes: Buffer): string => {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw unreadable(label('请求内容是 UTF-16 编码，请改用 UTF-8', 'The body is UTF-16; encode it as UTF-8'))
  try {
    return strictUtf8.decode(bytes)
  } catch {
    const valid = bytes.toString('utf8')
    const place = Buffer.byteLength(valid.slice(0, valid.indexOf('\ufffd')))
    throw unreadable(
      label(
        `请求内容不是 UTF-8 编码（第 ${place + 1} 字节起无法识别，可能是 GBK），请用 UTF-8 编码后发送`,
        `The body is not UTF-8 (from byte ${place + 1} on, perhaps GBK); encode it as UTF-8`,
      ),
    )
  }
}

/** @returns undefined for a body without content; @throws Refused with line, column and what stands there wrongly */
export const parseJsonBody = (bytes: Buffer): unknown => {
  const text = textOf(bytes)
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    const { line, column, what } = jsonFaultOf(text) ?? { line: 1, column: 1, what: label('无法识别', 'it is not understood') }
    throw unreadable(
      label(
        `请求内容不是有效的 JSON：第 ${line} 行第 ${column} 列，${what.zh}`,
        `The body is not valid JSON: line ${line}, column ${column}: ${what.en}`,
      ),
    )
  }
}

/** A name that comes several times has all its values. @throws Refused for percent codes that are no UTF-8 */
export const parseFormBody = (bytes: Buffer): Record<string, string | readonly string[]> => {
  const text = textOf(bytes)
  for (const pair of text.split('&'))
    try {
      decodeURIComponent(pair)
    } catch {
      const name = pair.split('=')[0]?.slice(0, 60) ?? ''
      throw unreadable(
        label(
          `表单字段“${name}”的百分号编码不正确或不是 UTF-8（可能是 GBK），请按 UTF-8 编码后发送`,
          `The form field "${name}" is not percent-encoded UTF-8 (perhaps it is GBK); encode it as UTF-8`,
        ),
      )
    }
  const pairs = new URLSearchParams(text)
  const valuesOf = (name: string): string | readonly string[] => {
    const all = pairs.getAll(name)
    return all.length > 1 ? all : (all[0] ?? '')
  }
  return Object.fromEntries([...pairs.keys()].map(name => [name, valuesOf(name)]))
}

/** What the parts before a route say of a body, by the code of their error. */
export const refusalOfBody = (
  error: { readonly code?: string; readonly statusCode?: number; readonly message?: string },
  contentType: string | undefined,
  limitBytes: number,
): Refusal => {
  if (error.statusCode === 415 || error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const given = (contentType ?? '').slice(0, 100)
    return refuseBody(
      'kernel/media-type',
      given === ''
        ? label(
            '请求带有内容但没有注明 Content-Type，请注明 application/json（上传文件用 multipart/form-data）',
            'The body came without a Content-Type; send application/json, or multipart/form-data with files',
          )
        : label(
            `不支持的请求内容类型 ${given}，请用 application/json 或 application/x-www-form-urlencoded，上传文件用 multipart/form-data`,
            `The content type ${given} is not supported; send application/json or application/x-www-form-urlencoded, and multipart/form-data with files`,
          ),
    )
  }
  if (error.statusCode === 413) {
    const limit = `${Math.round((limitBytes / 1_048_576) * 10) / 10} MB`
    return refuseBody(
      'kernel/too-large',
      label(`请求内容超过 ${limit}，请减少一次提交的内容`, `The body is larger than ${limit}; send less at a time`),
    )
  }
  if (error.code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return refuseBody(
      'kernel/unreadable-body',
      label(
        '收到的内容与 Content-Length 不符，可能中途断开，请重新发送',
        'What arrived differs from Content-Length, perhaps it was cut off; send it again',
      ),
    )
  return refuse('kernel/unreadable-body', {})
}

/** What the reader of multipart bodies met. */
export const refusalOfMultipart = ({ code = '', message = '' }: { readonly code?: string; readonly message?: string }): Refusal => {
  if (/^FST_((PARTS|FILES|FIELDS)_LIMIT|REQ_FILE_TOO_LARGE)$/.test(code)) return refuse('kernel/too-large', {})
  if (/boundary not found/i.test(message))
    return refuseBody(
      'kernel/unreadable-body',
      label(
        'multipart/form-data 没有注明 boundary，请由程序库生成 Content-Type，不要手工填写',
        'The multipart/form-data names no boundary; let the library write the Content-Type',
      ),
    )
  if (/unexpected end|premature close|aborted|ECONNRESET/i.test(`${message} ${code}`))
    return refuseBody(
      'kernel/unreadable-body',
      label(
        '上传内容不完整：没有收到结尾，可能中途断开，请重新上传',
        'The upload is not whole: its end is missing, perhaps the line was cut; upload it again',
      ),
    )
  return refuseBody(
    'kernel/unreadable-body',
    label(
      'multipart/form-data 的分段头格式不正确，请重新生成后上传',
      'A part of the multipart/form-data has a malformed header; build it anew and upload it again',
    ),
  )
}
