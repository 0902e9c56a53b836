import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allRoutes } from '#contract/registry.ts'
import { openApiOf } from '#kernel/http/openapi.ts'

/** The description of every call as text, one call a line, so that a change shows as a changed line. */
export const openApiText = (): string => {
  const { paths, ...rest } = openApiOf(allRoutes(), '0.1.0')
  const lines = Object.entries(paths).map(([path, item]) => `  ${JSON.stringify(path)}: ${JSON.stringify(item)}`)
  return `${JSON.stringify(rest).slice(0, -1)},"paths": {\n${lines.join(',\n')}\n}}\n`
}

// `npm run openapi` writes docs/openapi.json; a test compares it with what the program says of itself.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(fileURLToPath(new URL('../docs/openapi.json', import.meta.url)), openApiText())
  console.log(`${allRoutes().length} routes`)
}
