import { readFile } from 'node:fs/promises'
import { checkPortrait, cleanImage, makePortrait } from '#kernel/files/image.ts'
import { CONTENT_TYPES } from '#kernel/files/kinds.ts'
import type { FileStore } from '#kernel/files/store.ts'
import { seedFile } from './sources.ts'

/** Bytes in the file store and what `stored_file` says of them. */
export interface StoredBytes {
  readonly name: string
  readonly ext: 'jpg' | 'pdf'
  readonly mime: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly storageKey: string
  readonly checks: unknown
  readonly purpose: 'photo' | 'document'
}

export interface DemoPictures {
  /** The portrait of the n-th of the people, in a file of its own. */
  readonly portrait: (n: number) => StoredBytes
  /** The front of an id card, of a man or a woman as the n-th of the people is. */
  readonly idFront: (n: number) => StoredBytes
  /** Its back, diploma and letter are the same picture for everybody: one file, many rows. */
  readonly documents: Readonly<Record<'idBack' | 'diploma' | 'agreeLetter', StoredBytes>>
  /** Removes all of it again, when the rows were not written. */
  readonly discard: () => Promise<void>
}

/** Drawn portraits by sex: 1 male, 2 female. */
const portraits = {
  1: ['01-white', '03-white', '05-white', '07-white', '09-white', '12-blue'],
  2: ['02-blue', '04-blue', '06-blue', '08-blue', '10-blue', '11-white'],
} as const
const maxBytes = 16 * 1024 * 1024
/** Files that are written at once. */
const together = 24

const readPortraits = (sex: 1 | 2) =>
  Promise.all(
    portraits[sex].map(async name => {
      const file = `p${name}.jpg`
      const raw = await readFile(seedFile(`portraits/${file}`))
      const { findings } = await checkPortrait(raw, { fileName: file })
      return { bytes: await makePortrait(raw), checks: findings }
    }),
  )

/** Stores a portrait for each person and one of each document, re-encoded as uploads are. */
export const storePictures = async (
  store: FileStore,
  tenantId: string,
  people: readonly { readonly sex: 1 | 2 }[],
): Promise<DemoPictures> => {
  const keys: string[] = []
  const put = async (bytes: Uint8Array, about: Pick<StoredBytes, 'name' | 'ext' | 'checks' | 'purpose'>): Promise<StoredBytes> => {
    const { key, sizeBytes, sha256 } = await store.put(bytes, { tenantId, maxBytes })
    keys.push(key)
    return { ...about, mime: CONTENT_TYPES[about.ext], sizeBytes, sha256, storageKey: key }
  }
  const faces = { 1: await readPortraits(1), 2: await readPortraits(2) }
  const own: StoredBytes[] = []
  for (let from = 0; from < people.length; from += together)
    own.push(
      ...(await Promise.all(
        people.slice(from, from + together).map(async ({ sex }, i) => {
          const face = faces[sex][(from + i) % faces[sex].length]
          if (!face) throw new Error('there is no portrait')
          return put(face.bytes, { name: '证件照.jpg', ext: 'jpg', checks: face.checks, purpose: 'photo' })
        }),
      )),
    )
  const picture = async (file: string, name: string): Promise<StoredBytes> =>
    put((await cleanImage(await readFile(seedFile(`portraits/${file}`)))).bytes, { name, ext: 'jpg', checks: null, purpose: 'document' })
  const [idOfMan, idOfWoman, idBack, diploma, agreeLetter] = await Promise.all([
    picture('id-front-2-long-name.jpg', '身份证人像面.jpg'),
    picture('id-front-1.jpg', '身份证人像面.jpg'),
    picture('id-back.jpg', '身份证国徽面.jpg'),
    picture('diploma.jpg', '毕业证书.jpg'),
    put(await readFile(seedFile('portraits/agree-letter.pdf')), {
      name: '单位同意报考证明.pdf',
      ext: 'pdf',
      checks: null,
      purpose: 'document',
    }),
  ])
  return {
    portrait: n => {
      const face = own[n]
      if (!face) throw new Error(`there are only ${own.length} portraits`)
      return face
    },
    idFront: n => (people[n]?.sex === 1 ? idOfMan : idOfWoman),
    documents: { idBack, diploma, agreeLetter },
    discard: async () => {
      await Promise.all(keys.map(key => store.remove(key)))
    },
  }
}
