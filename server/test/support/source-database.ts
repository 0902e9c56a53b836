import pg from 'pg'
import { inject } from 'vitest'
import { newToken } from '#kernel/crypto/token.ts'

/** A database that is not the program's own, with an account that reads it and one that writes, on the server of the tests. */
export interface SourceDatabase {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly reader: string
  readonly writer: string
  readonly password: string
  /** As its owner. What is made is readable for the reader. */
  run(statements: string): Promise<void>
  close(): Promise<void>
}

export const openSourceDatabase = async (): Promise<SourceDatabase> => {
  const url = new URL(inject('adminUrl'))
  const serial = newToken()
    .replace(/[^a-zA-Z0-9]/g, '')
    .slice(0, 10)
    .toLowerCase()
  const [database, reader, writer, password] = [`src_${serial}`, `reader_${serial}`, `writer_${serial}`, `pw-${serial}`]
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  await admin.query(`create database ${database} template template0`)
  for (const role of [reader, writer]) await admin.query(`create role ${role} login password '${password}'`)
  const own = new URL(url)
  own.pathname = `/${database}`
  const owner = new pg.Client({ connectionString: own.href })
  await owner.connect()
  await owner.query(`
    alter default privileges in schema public grant select on tables to ${reader};
    alter default privileges in schema public grant select, insert on tables to ${writer};
    create table clinic (id serial primary key, clinic_name varchar(40) not null)`)
  return {
    host: url.hostname,
    port: Number(url.port || 5432),
    database,
    reader,
    writer,
    password,
    run: async statements => void (await owner.query(statements)),
    close: async () => {
      await owner.end()
      await admin.query(`drop database if exists ${database} with (force)`)
      for (const role of [reader, writer]) await admin.query(`drop role if exists ${role}`)
      await admin.end()
    },
  }
}
