import { randomBytes } from 'node:crypto'
import { countryCodes, documentKey } from '#contract/person/passport.ts'
import { systemClock } from '#kernel/clock.ts'
import { createFieldCipher } from '#kernel/crypto/field.ts'
import { fingerprintOf } from '#kernel/crypto/fingerprint.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import type { Pool, PoolClient } from '#kernel/db/pool.ts'
import { changeSecretsFile, keyRing, type Secrets, secretsPath } from '#kernel/secrets.ts'
import { type InstallationPlace, replaceMark, shortPrint } from '#server/installation-identity.ts'
import { type Holder, runningHolders } from '#server/key-holders.ts'

// Look-up keys are compared by the database itself, row against row, so all of them change in one transaction while the program stands still.

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
  /** Takes it that entries of people of whom nothing else is stored are found no longer. */
  readonly mayLose: boolean
}

const rebuild = async (client: PoolClient, of: IndexRotation, next: Buffer): Promise<void> => {
  const rootKey = keyRing(of.secrets, 'fieldRootKey')
  const [before, after] = [of.secrets.blindIndexKey, next].map(indexKey => createFieldCipher({ rootKey, indexKey }))
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

/**
 * Replaces the key of look-ups: every instance must be stopped. All or nothing: the file and the database change together.
 *
 * @throws StartRefusal where an instance runs, or entries would be lost
 */
export const rotateIndex = async (of: IndexRotation): Promise<void> => {
  const client = await of.platform.connect()
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await client.query('begin')
    const running = await stillRunning(client)
    if (running.length > 0)
      throw new StartRefusal(
        `The program runs on ${running.map(({ host }) => host).join(' and ')}. Look-up keys are replaced while it stands still: stop every instance, then run the command again.`,
      )
    const next = randomBytes(of.secrets.blindIndexKey.length)
    of.say('blindIndexKey: making every look-up key anew.')
    await rebuild(client, of, next)
    await replaceMark(client, 'secret', 'blindIndexKey', fingerprintOf('blindIndexKey', next))
    // Last before the commit. Where the machine stops between the two, the file has a key that the database was not rebuilt with: put back the copy of the
    // secrets file from before the command, as the paper says.
    await changeSecretsFile(secretsPath(of.place), stored => ({
      ...stored,
      blindIndexKey: next.toString('base64url'),
      former: {
        ...stored.former,
        blindIndexKey: [{ key: stored.blindIndexKey, until: systemClock.now().toISOString() }, ...(stored.former?.blindIndexKey ?? [])],
      },
    }))
    await client.query('commit')
    of.say(`blindIndexKey: ${shortPrint(fingerprintOf('blindIndexKey', next))} is used from now on. Start the program again.`)
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release(true)
  }
}
