import { type Static, Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, named, nullable, optional, strict } from '../kernel/schema.ts'

const S = Type.String()
const I = Type.Integer()

/** A tenant without a storage of its own keeps its files in the platform's. */
export const sharedStorage = 'tenants without a storage of their own use the platform’s'
const rows = (staff: 'oss_edit' | 'oss_enable') => ({ staff, reachesAll: 'always', because: sharedStorage }) as const
const files = (staff: 'oss_view' | 'oss_move') =>
  ({ staff, reachesAll: 'asked', because: 'with `all` it is about the files of all tenants' }) as const

const tryUpload = defineRoute({
  method: 'POST',
  path: '/blade-resource/oss/try-upload',
  access: rows('oss_edit'),
  input: strict({ id: id() }),
  output: Type.Object({ id: S }),
  tx: 'own',
  means: 'writes a small file to the storage, reads it back and removes it',
})
const enable = defineRoute({
  method: 'POST',
  path: '/blade-resource/oss/enable',
  access: rows('oss_enable'),
  input: strict({ id: id() }),
  output: Type.Object({ id: S, status: I }),
  tx: 'own',
  means: 'lets new files go to this storage and switches the others off',
})

/** Files that lie in one place. */
const place = Type.Object({
  /** Empty for the disk of this server. */
  ossId: S,
  ossCode: S,
  files: I,
  bytes: Type.Number(),
  /** New files go here. */
  isChosen: flag(),
  /** Of the platform, which the tenant follows. */
  isPlatform: flag(),
})
const move = Type.Object({
  /** 1 going on, 2 done, 3 failed, 4 cancelled. */
  state: I,
  total: I,
  moved: I,
  failed: I,
  bytes: Type.Number(),
  problem: S,
  startTime: S,
  endTime: nullable(S),
})
export type FileMoveView = Static<typeof move>
export type FilePlace = Static<typeof place>

const all = optional(named({ zh: '全部机构', en: 'All organisations' }, flag()))
const places = defineRoute({
  method: 'GET',
  path: '/blade-resource/oss/places',
  access: files('oss_view'),
  input: strict({ all }),
  output: Type.Object({
    places: Type.Array(place),
    /** Files that are not where new ones go. */
    elsewhere: I,
    /** The last move, going on or ended. */
    move: nullable(move),
    /** The caller runs the platform and may ask for all organisations. */
    mayAll: flag(),
  }),
  tx: 'own',
  background: true,
  means: 'where files lie, and how far a move of them is; with `all` of every organisation, for the platform',
})
const startMove = defineRoute({
  method: 'POST',
  path: '/blade-resource/oss/move',
  access: files('oss_move'),
  input: strict({ all }),
  output: Type.Object({ files: I }),
  tx: 'own',
  means: 'moves all files to where new ones go; they stay readable meanwhile',
})
const cancelMove = defineRoute({
  method: 'POST',
  path: '/blade-resource/oss/cancel-move',
  access: files('oss_move'),
  input: strict({ all }),
  output: Type.Object({ cancelled: I }),
  tx: 'own',
  means: 'stops a move; what has been moved stays where it is now',
})

export const storage = { tryUpload, enable, places, startMove, cancelMove } as const
export const storageRoutes = Object.values(storage)
