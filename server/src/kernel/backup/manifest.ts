import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { hmacSm3 } from '#kernel/crypto/sm3.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import type { Place } from './place.ts'
import { whole } from './streams.ts'

const count = Type.Integer({ minimum: 0 })
const hex = Type.String({ pattern: '^[0-9a-f]{64}$' })
const part = Type.Object({
  /** Below the folder of the backup. */
  name: Type.String({ pattern: '^[a-z0-9.-]+$' }),
  bytes: count,
  /** Of the sealed bytes, as they lie there. */
  sha256: hex,
})
const manifestSchema = Type.Object({
  format: Type.Literal(1),
  id: Type.String({ pattern: '^\\d{8}T\\d{6}Z-[0-9a-f]{6}$' }),
  /** ISO, UTC, by the database's clock: all that was acknowledged before this instant is in it. */
  takenAt: Type.String(),
  finishedAt: Type.String(),
  /** Release and newest migration of the program that wrote it. */
  release: Type.String(),
  migration: count,
  database: Type.Object({
    /** `files`: the data folder of the bundled server; `dump`: pg_dump of a server of one's own. */
    kind: Type.Enum(['files', 'dump']),
    major: count,
    /** `linux-x64`: files of a server are read by a server of the same kind alone. */
    platform: Type.String(),
    /** Login roles that the program makes; their passwords are among the secrets. */
    roles: Type.Array(Type.String()),
  }),
  parts: Type.Object({ database: part, data: part, secrets: part, files: part }),
  /** The secrets lie in another place than the rest. */
  secretsApart: Type.Boolean(),
  files: Type.Object({ count, bytes: count }),
  /** Buckets that hold files too: they are not copied. */
  stores: Type.Array(
    Type.Object({ tenantId: Type.String(), id: Type.String(), endpoint: Type.String(), bucket: Type.String(), files: count, bytes: count }),
  ),
  /** Public keys that it is sealed for. */
  recipients: Type.Array(Type.String(), { minItems: 2 }),
  /** HMAC-SM3 by the installation's audit key over all of the above. */
  signature: hex,
})
export type Manifest = Static<typeof manifestSchema>
export type Part = Static<typeof part>

/** A file as the list of a backup has it: one line of JSON each. */
export interface FileLine {
  /** Where it belongs in the folder of the disk store. */
  readonly name: string
  readonly bytes: number
  /** Of the stored bytes, which are sealed by the installation's own keys: the name of the object that holds them. */
  readonly sha256: string
  /** Whole milliseconds: with the length it tells a file that did not change. */
  readonly changedMs: number
}

export const objectOfFile = (sha256: string): string => `files/${sha256.slice(0, 2)}/${sha256}`
export const objectOfPart = (id: string, name: string): string => `backups/${id}/${name}`
const manifestName = 'manifest.json'

const signatureOf = (auditKey: Uint8Array, { signature: _, ...rest }: Manifest): string =>
  hmacSm3(auditKey, `backup|${JSON.stringify(rest)}`).toString('hex')
export const signed = (auditKey: Uint8Array, manifest: Omit<Manifest, 'signature'>): Manifest => {
  const draft = { ...manifest, signature: '' }
  return { ...draft, signature: signatureOf(auditKey, draft) }
}
export const isSignedBy = (auditKey: Uint8Array, manifest: Manifest): boolean => signatureOf(auditKey, manifest) === manifest.signature

/** The last thing that is written of a backup: without it there is none. */
export const writeManifest = (place: Place, manifest: Manifest): Promise<void> =>
  place.put(
    objectOfPart(manifest.id, manifestName),
    (async function* () {
      yield Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
    })(),
  )

/** Whole backups of a place, oldest first. */
export const listBackups = async (place: Place): Promise<readonly string[]> =>
  [...(await place.list('backups/'))].flatMap(name => /^backups\/([^/]+)\/manifest\.json$/.exec(name)?.[1] ?? []).sort()

/** @throws StartRefusal for a backup that is not there or was written by another product or a later release */
export const readManifest = async (place: Place, id: string): Promise<Manifest> => {
  let manifest: unknown
  try {
    manifest = JSON.parse((await whole(place.read(objectOfPart(id, manifestName)))).toString('utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new StartRefusal(`The manifest of the backup ${id} in ${place.address} is no JSON.`)
  }
  if (!Value.Check(manifestSchema, manifest)) {
    const [first] = Value.Errors(manifestSchema, manifest)
    throw new StartRefusal(
      `The manifest of the backup ${id} in ${place.address} cannot be read by this release: ${first?.instancePath ?? ''} ${first?.message ?? ''}.`,
    )
  }
  return manifest
}

/** The newest backup, or the one that is named. @throws StartRefusal where there is none */
export const chooseBackup = async (place: Place, id: string | undefined): Promise<Manifest> => {
  const chosen = id ?? (await listBackups(place)).at(-1)
  if (chosen === undefined) throw new StartRefusal(`There is no backup in ${place.address}.`)
  return readManifest(place, chosen)
}
