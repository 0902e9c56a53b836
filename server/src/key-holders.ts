import { fingerprintOf } from '#kernel/crypto/fingerprint.ts'
import type { Pool, PoolClient } from '#kernel/db/pool.ts'
import { acceptedKeys, keyNames, type Secrets } from '#kernel/secrets.ts'
import { thisServer } from '#kernel/this-server.ts'

// While a key is replaced no instance may meet what it cannot open: the new key is used when every running one says that it accepts it.

/** Fingerprints of all that this file accepts, and of what it makes new things with, by the name of the secret. */
export interface HeldKeys {
  readonly accepted: readonly string[]
  readonly current: readonly string[]
}
export const heldKeysOf = (secrets: Secrets): HeldKeys => {
  const logins = [secrets.login, ...(secrets.comingLogin ? [secrets.comingLogin] : []), ...secrets.formerLogins]
  return {
    accepted: [
      ...keyNames.flatMap(name => acceptedKeys(secrets, name).map(key => `${name} ${fingerprintOf(name, key)}`)),
      ...logins.map(({ privateKey }) => `login ${fingerprintOf('login', privateKey)}`),
    ],
    current: [
      ...keyNames.map(name => `${name} ${fingerprintOf(name, secrets[name])}`),
      `login ${fingerprintOf('login', secrets.login.privateKey)}`,
    ],
  }
}

/** Says which keys this process has. */
export const tellKeys = async (platform: Pool, runner: string, secrets: Secrets): Promise<void> => {
  const { accepted, current } = heldKeysOf(secrets)
  await platform.query(
    `insert into key_holder (runner, host, accepted, current) values ($1, $2, $3, $4)
     on conflict (runner) do update set accepted = excluded.accepted, current = excluded.current, told_at = clock_timestamp()`,
    [runner, `${thisServer.host} ${thisServer.ip}`.trim(), accepted, current],
  )
}

export interface Holder extends HeldKeys {
  readonly host: string
}
/** Every running instance: a process holds the lock of its number as long as it lives. Those that have ended are forgotten. */
export const runningHolders = async (client: Pick<PoolClient, 'query'>): Promise<readonly Holder[]> => {
  await client.query(
    `delete from key_holder h where not exists (
       select from pg_locks l where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
         and l.database = (select oid from pg_database where datname = current_database()) and (l.classid::bigint << 32 | l.objid::bigint) = h.runner)`,
  )
  return (await client.query<Holder>('select host, accepted, current from key_holder order by told_at')).rows
}
