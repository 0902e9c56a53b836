import { readModel } from '#modules/flow/commands/deploy.ts'
import { begin, goOn } from '#modules/flow/domain/engine.ts'
import { randomModel, randomSteps } from './random-models.ts'

/** The open steps of a random process before each of its completions, as the product has them; the last is empty. */
export const ownSteps = async (seed: number): Promise<readonly string[]> => {
  const { xml, variables } = randomModel(seed)
  const { graph, problems } = await readModel(xml)
  if (!graph) throw new Error(`${seed}: ${JSON.stringify(problems)}`)
  const choose = randomSteps(seed, variables)
  let moved = begin(graph, choose.values())
  const seen: string[] = []
  for (;;) {
    const tokens = moved.place.tokens.filter(({ wait }) => wait === 'task')
    const open = tokens.map(({ at }) => at).sort()
    seen.push(open.join(','))
    if (open.length === 0) return seen
    const next = choose.pick(open)
    moved = goOn(graph, moved.place, tokens.find(({ at }) => at === next)?.id ?? 0, choose.values())
  }
}
