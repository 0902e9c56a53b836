import { randomBytes } from 'node:crypto'
import { countryCodes, documentKey } from '#contract/person/passport.ts'
import { createFieldCipher } from '#kernel/crypto/field.ts'
import { fingerprintOf } from '#kernel/crypto/fingerprint.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import type { Pool, PoolClient } from '#kernel/db/pool.ts'
import { changeSecretsFile, keyRing, type Secrets, secretsPath } from '#kernel/secrets.ts'
import { finishIndexChange, type InstallationPlace, readMarks, replaceMark, shortPrint } from '#server/installation-identity.ts'
import { type Holder, runningHolders } from '#server/key-holders.ts'

// Look-up keys are compared by the database itself, row against row, so all of them change in one transaction while the program stands still. The next key
// is in the secrets file before the transaction begins and becomes the present one after its commit; the fingerprint in the database changes with the
// rows. So wherever the machine stops, the fingerprint says which of the two keys the rows were made with, and the next start or command goes on.

/** Look-up keys beside the sealed value that they are made of. */
const withValue = [
  { table: 'account', purpose: 'phone', sealed: 'phone_sealed', index: 'phone_index', hasCountry: false },
  { table: 'account', purpose: 'id-card', sealed: 'id_card_sealed', index: 'id_card_index', hasCountry: true },
  { table: 'signup', purpose: 'phone', sealed: 'phone_sealed', index: 'phone_index', hasCountry: false },
  { table: 'signup', purpose: 'id-card', sealed: 'id_card_sealed', index: 'id_card_index', hasCountry: true },
  { table: 'identity_appeal', purpose: 'phone', sealed: 'phone_sealed', index: 'phone_index', hasCountry: false },
  { table: 'identity_appeal', purpose: 'id-card', sealed: 'id_card_sealed', index: 'id_card_index', hasCountry: false },
  { table: 'sms_message', purpose: 'phone', sealed: 'phone_sealed', index: 'phone_index', hasCountry: false },
] as const

/** Look-up keys alone: those of people who are in one of the tables above are found by them. */
const alone = [
  { table: 'recuse', index: 'id_card_index' },
  { table: 'integrity_list', index: 'id_card_index' },
  { table: 'integrity_case', index: 'id_card_index' },
] as const
/** Codes that were sent minutes ago: they are asked for again. `login_challenge.phone_index` is one. */
export const forgottenIndexes = [{ table: 'login_challenge', index: 'phone_index' }] as const

/** Every column of look-up keys that the command knows; a test compares them with the catalogue. */
export const indexColumns: readonly { readonly table: string; readonly index: string }[] = [...withValue, ...alone, ...forgottenIndexes]

const portion = 1_000

interface Row {
  readonly tenant: string
  readonly id: string
  readonly sealed: Buffer | null
  readonly index: string
  readonly country: string | null
}

export interface IndexRotation {
  readonly platform: Pool
  readonly secrets: Secrets
  readonly place: InstallationPlace
  readonly say: (line: string) => void
  readonly signal: AbortSignal
  /** Takes it that entries of people of whom nothing else is stored are found no longer. */
  readonly mayLose: boolean
}

const rebuild = async (client: PoolClient, of: IndexRotation, present: Buffer, next: Buffer): Promise<void> => {
  const rootKey = keyRing(of.secrets, 'fieldRootKey')
  const [before, after] = [present, next].map(indexKey => createFieldCipher({ rootKey, indexKey }))
  if (!before || !after) throw new Error('two keys')
  /** `tenant index` → the new one. */
  const known = new Map<string, string>()
  const write = async (
    table: string,
    index: string,
    rows: readonly { readonly tenant: string; readonly id: string; readonly index: string }[],
  ) => {
    await client.query(
      `update ${table} t set ${index} = u.index from unnest($1::text[], $2::bigint[], $3::text[]) as u (tenant, id, index) where t.tenant_id = u.tenant and t.id = u.id`,
      [rows.map(row => row.tenant), rows.map(row => row.id), rows.map(row => row.index)],
    )
  }
  const renewed = (row: Row): string | undefined => known.get(`${row.tenant} ${row.index}`)
  const each = async (table: string, columns: string, index: string, work: (row: Row) => string | undefined): Promise<readonly Row[]> => {
    const lost: Row[] = []
    let from = '-1'
    let tenant = ''
    let count = 0
    for (;;) {
      of.signal.throwIfAborted()
      const { rows } = await client.query<Row>(
        `select tenant_id as tenant, id::text as id, ${index} as index, ${columns} from ${table}
         where ${index} is not null and (tenant_id, id) > ($1, $2::bigint) order by tenant_id, id limit ${portion}`,
        [tenant, from],
      )
      const last = rows.at(-1)
      if (!last) break
      ;[tenant, from] = [last.tenant, last.id]
      const fresh = rows.flatMap(row => {
        const made = work(row)
        if (made === undefined) lost.push(row)
        return made === undefined ? [] : [{ tenant: row.tenant, id: row.id, index: made }]
      })
      await write(table, index, fresh)
      count += fresh.length
    }
    of.say(`  ${table}.${index}: ${count}`)
    return lost
  }
  const lost: string[] = []
  for (const { table, purpose, sealed, index, hasCountry } of withValue) {
    const country = hasCountry ? 'nationality as country' : 'null as country'
    const left = await each(table, `${sealed} as sealed, ${country}`, index, row => {
      if (row.sealed === null) return renewed(row)
      const plain = before.open(row.tenant, { table, column: sealed, rowId: row.id }, row.sealed)
      // A passport's key names its country; which form was indexed the former key says.
      const nationality = row.country
      const passports = purpose === 'phone' ? [] : nationality === null ? countryCodes : [nationality]
      for (const value of [plain, ...passports.map(country => documentKey({ idCard: plain, nationality: country }))]) {
        if (before.blindIndex(row.tenant, purpose, value) !== row.index) continue
        const made = after.blindIndex(row.tenant, purpose, value)
        known.set(`${row.tenant} ${row.index}`, made)
        return made
      }
      return undefined
    })
    lost.push(...left.map(row => `${table} ${row.id} (${row.tenant})`))
  }
  for (const { table, index } of alone) {
    const left = await each(table, 'null as sealed, null as country', index, row => renewed(row))
    lost.push(...left.map(row => `${table} ${row.id} (${row.tenant})`))
  }
  for (const { table, index } of forgottenIndexes) await client.query(`delete from ${table} where ${index} is not null`)
  of.signal.throwIfAborted()
  if (lost.length > 0 && !of.mayLose)
    throw new StartRefusal(
      `${lost.length} entries could not be found any more, because nothing else is stored of their people: ${lost.slice(0, 20).join(', ')}. Nothing was changed. Note who they are, or run the command again with --yes.`,
    )
}

/** An instance that was just stopped counts until the database has noticed. */
const noticeMs = 3_000
const lookEveryMs = 100
const stillRunning = async (client: PoolClient): Promise<readonly Holder[]> => {
  for (const until = performance.now() + noticeMs; ; await new Promise<void>(next => setTimeout(next, lookEveryMs))) {
    const running = await runningHolders(client)
    if (running.length === 0 || performance.now() > until) return running
  }
}

/** @throws StartRefusal where an instance runs. Until the transaction ends, none can say that it has started. */
const standStill = async (client: PoolClient): Promise<void> => {
  try {
    await client.query('lock table key_holder in share row exclusive mode')
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error
    throw new StartRefusal(
      'Another command replaces the key of look-ups, or an instance is starting. Wait for it, then run the command again.',
    )
  }
  const running = await stillRunning(client)
  if (running.length > 0)
    throw new StartRefusal(
      `The program runs on ${running.map(({ host }) => host).join(' and ')}. Look-up keys are replaced while it stands still: stop every instance, then run the command again.`,
    )
}

const withoutComing = async (path: string): Promise<void> => {
  await changeSecretsFile(path, ({ coming: { blindIndexKey: _, ...coming } = {}, ...stored }) => ({ ...stored, coming }))
}

/**
 * Replaces the key of look-ups: every instance must be stopped. Broken off anywhere, it is finished by the next start or by the same command.
 *
 * @throws StartRefusal where an instance runs, or entries would be lost
 */
export const rotateIndex = async (of: IndexRotation): Promise<void> => {
  const path = secretsPath(of.place)
  const client = await of.platform.connect()
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await client.query('begin')
    await standStill(client)
    const begun = await changeSecretsFile(path, stored =>
      stored.coming?.blindIndexKey
        ? stored
        : { ...stored, coming: { ...stored.coming, blindIndexKey: randomBytes(of.secrets.blindIndexKey.length).toString('base64url') } },
    )
    const next = begun.coming.blindIndexKey
    if (!next) throw new Error('no coming key of look-ups')
    const print = fingerprintOf('blindIndexKey', next)
    // A database that was put back has the rows of a former key.
    const marked = (await readMarks(client)).secrets.get('blindIndexKey')
    const present =
      [begun.blindIndexKey, ...begun.former.blindIndexKey.map(({ key }) => key)].find(
        key => fingerprintOf('blindIndexKey', key) === marked,
      ) ?? begun.blindIndexKey
    of.say(`blindIndexKey: the next key ${shortPrint(print)} is in the secrets file; making every look-up key anew.`)
    try {
      await rebuild(client, of, present, next)
    } catch (error) {
      await client.query('rollback')
      await withoutComing(path)
      throw error
    }
    await replaceMark(client, 'secret', 'blindIndexKey', print)
    await client.query('commit')
    await finishIndexChange(path)
    of.say(`blindIndexKey: ${shortPrint(print)} is used from now on. Start the program again.`)
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release(true)
  }
}
