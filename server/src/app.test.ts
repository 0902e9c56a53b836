import { expect, test, vi } from 'vitest'
import type { Application, ApplicationOptions } from './app.ts'

vi.mock('#contract/nouns.ts', async original => {
  const nouns = await original<typeof import('#contract/nouns.ts')>()
  const [first] = nouns.resources
  const wrong = {
    ...first,
    name: 'note',
    fields: { moonId: { kind: 'ref', ref: 'moon', required: false, label: { zh: '月', en: 'Moon' } } },
  }
  return { ...nouns, resources: [...nouns.resources, wrong] }
})

test('[20.5] a field that points at a noun nobody declares stops the start, before the database is touched', async () => {
  const { createApplication } = await import('./app.ts')
  const start = (): Promise<Application> => createApplication({} as ApplicationOptions)
  await expect(start()).rejects.toThrow('noun note: moonId points at moon')
})
