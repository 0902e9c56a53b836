import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { Log } from '#kernel/log.ts'
import { thisServer } from '#kernel/this-server.ts'
import { singleValue } from './ask.ts'
import type { Clause } from './clause.ts'
import { clauses } from './clauses.ts'
import { dataKinds } from './personal-data.ts'
import { type ProbeId, probes } from './probes.ts'
import { type Installation, type Reading, verdictOf } from './reading.ts'
import type { ClauseEvidence, Evidence, Retention } from './write.ts'

/** A probe that breaks is a failed test with the words of its error: the rest of the evidence is made all the same. */
const readSafely = async (at: Installation, id: ProbeId, log: Log): Promise<Reading> => {
  try {
    return await probes[id].read(at)
  } catch (error) {
    log.error({ err: error, probe: id }, 'a probe of the evidence failed')
    return {
      tests: [
        { what: { zh: '执行本项测试', en: 'This test is run' }, expected: 'a result', seen: (error as Error).message, verdict: 'fails' },
      ],
    }
  }
}

const evidenceOf = (clause: Clause, readings: ReadonlyMap<ProbeId, Reading>): ClauseEvidence => {
  const own = clause.probes.map(id => ({ id, reading: readings.get(id) ?? {} }))
  return {
    clause,
    readings: own,
    verdict: own.length === 0 ? 'gap' : verdictOf(own.flatMap(({ reading }) => reading.tests ?? [])),
  }
}

const countOf = (column: string): RawBuilder<{ value: number }> => {
  const [table = '', name = ''] = column.split('.')
  return sql<{ value: number }>`select count(${sql.ref(name)})::int as value from ${sql.table(table)}`
}

/** Reads the whole installation. `said` hears each probe before it runs. */
export const gatherEvidence = async (
  at: Installation,
  version: string,
  log: Log,
  said: (line: string) => void = () => {},
): Promise<Evidence> => {
  const wanted = [...new Set(clauses.flatMap(clause => clause.probes))]
  const readings = new Map<ProbeId, Reading>()
  for (const [i, id] of wanted.entries()) {
    said(`${i + 1}/${wanted.length} ${probes[id].title.en}`)
    readings.set(id, await readSafely(at, id, log))
  }
  const counts = new Map<string, number>()
  for (const { id, columns } of dataKinds) {
    let sum = 0
    for (const column of columns) sum += await singleValue(at, countOf(column))
    counts.set(id, sum)
  }
  const retention: Retention[] = at.application.modules.processors.flatMap(({ name, erases = [] }) =>
    erases.map(({ what, after, since }) => ({ job: name, what, after, since })),
  )
  return {
    madeAt: at.now,
    version,
    installation: at.config.publicUrl ?? thisServer.host,
    clauses: clauses.map(clause => evidenceOf(clause, readings)),
    retention,
    certificates: readings.get('erasures')?.samples?.[0],
    counts,
  }
}
