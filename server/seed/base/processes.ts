import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { leaveCategory } from '#contract/flow/flow-limits.ts'
import { readProcess } from '#contract/flow/read-process.ts'
import { readBpmn } from '#kernel/bpmn.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** The leave of every tenant, as a common process of the platform. One that was removed or deployed anew stays so. */
export const seedProcesses = async (db: TenantDb): Promise<void> => {
  const xml = readFileSync(fileURLToPath(new URL('../data/leave.bpmn', import.meta.url)), 'utf8')
  const file = await readBpmn(xml)
  const graph = 'problem' in file ? undefined : readProcess(file.definitions).graph
  if (!graph) throw new Error('the seeded process of leave cannot be read')
  await db.run(sql`
    insert into flow_definition (tenant_id, flow_key, flow_version, name, description, category, deployment_id, xml, graph, is_common)
    select ${db.actor.tenantId}, ${graph.key}::varchar, 1, ${graph.name}::varchar, ${graph.description}::varchar, ${leaveCategory}::varchar, next_id(), ${xml}::text,
      ${JSON.stringify(graph)}::jsonb, true
    where not exists (select 1 from flow_definition where is_common and flow_key = ${graph.key})`)
}
