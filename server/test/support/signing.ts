import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Answer, Person } from './app.ts'

const sample = (name: string): Buffer => readFileSync(fileURLToPath(new URL(`../../seed/data/portraits/${name}`, import.meta.url)))
const sources = { photo: 'p01-white.jpg', idFront: 'id-front-1.jpg', idBack: 'id-back.jpg', diploma: 'diploma.jpg' } as const

/** Uploads one file as the browser does. @returns its id */
export const upload = async (person: Person, bytes: Uint8Array, name: string, purpose: string): Promise<string> => {
  const answer = await person.post('/file/upload', { multipart: { fields: { purpose }, files: [{ part: 'file', name, bytes }] } })
  if (answer.status !== 200) throw new Error(`upload of ${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body.data.fileId
}

/** All files the example examination asks for. */
export const uploadAll = async (person: Person): Promise<Record<string, string[]>> => {
  const ids: Record<string, string[]> = {}
  for (const [key, name] of Object.entries(sources))
    ids[key] = [await upload(person, sample(name), name, key === 'photo' ? 'photo' : 'image')]
  return ids
}

/** Answers that meet every condition of post B001. */
export const answersOf = (idCard: string, phone: string, extra: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  name: '王·测',
  idCardType: '1',
  idCard,
  nation: '01',
  political: '13',
  phone,
  education: '20',
  degree: '3',
  educationType: '1',
  school: '新疆医科大学',
  major: '护理学',
  majorCode: '101101',
  graduateDate: '2018-06-30',
  certName: ['护士'],
  adjust: '1',
  hasRelative: '0',
  ...extra,
})

export interface SubmitOptions {
  readonly code?: string
  readonly content: Readonly<Record<string, unknown>>
  readonly fileIds: Readonly<Record<string, readonly string[]>>
  readonly signVersion?: number
  readonly extra?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}
export const submit = (person: Person, examId: string, options: SubmitOptions): Promise<Answer> =>
  person.post('/blade-signup/signup/submit', {
    json: {
      examId,
      code: options.code ?? 'B001',
      submitType: 1,
      promise: 1,
      content: options.content,
      fileIds: options.fileIds,
      signVersion: options.signVersion ?? 0,
      ...options.extra,
    },
    ...(options.headers ? { headers: options.headers } : {}),
  })
