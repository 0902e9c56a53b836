import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of the operator's papers. */
export const operateFolder = join(import.meta.dirname, '..', '..', '..', 'docs', 'operate')

/** One block of commands in a paper of `docs/operate`. */
export interface OperateBlock {
  /** File name without `.md`. */
  readonly page: string
  /** Name given in the comment above the block; undefined where there is none, which `operate-docs.test.ts` refuses. */
  readonly id: string | undefined
  /** The commands as printed, without the fences. */
  readonly text: string
}

const blockPattern = /(?:<!-- run: ([a-z0-9-]+) -->\n)?```(?:sh|bash)\n([\s\S]*?)```/g

/** Every block of shell commands in the papers; `<!-- run: id -->` above a block names it. */
export const operateBlocks = (): readonly OperateBlock[] =>
  readdirSync(operateFolder)
    .filter(name => name.endsWith('.md'))
    .flatMap(name =>
      [...readFileSync(join(operateFolder, name), 'utf8').matchAll(blockPattern)].map(([, id, text = '']) => ({
        page: name.slice(0, -3),
        id,
        text,
      })),
    )

/**
 * The commands that a paper prints, for a test to run: the paper and the test cannot differ.
 * @param id - of the block
 * @param replace - what stands in the paper → what this test has in its place (folders, addresses, passwords); each must occur
 * @throws where there is no such block, or a text to be replaced is not in it
 */
export const operateCommand = (id: string, replace: Readonly<Record<string, string>> = {}): string => {
  const block = operateBlocks().find(one => one.id === id)
  if (block === undefined) throw new Error(`docs/operate has no block named ${id}`)
  return Object.entries(replace).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The block ${id} of docs/operate/${block.page}.md does not contain ${from}`)
    return text.replaceAll(from, to)
  }, block.text)
}

/**
 * A block of configuration that a paper prints, for a test to use as printed.
 * @param page - file name without `.md`
 * @param begins - the first words of the block
 * @param replace - as for `operateCommand`
 * @throws where there is no such block, or a text to be replaced is not in it
 */
export const operateText = (page: string, begins: string, replace: Readonly<Record<string, string>> = {}): string => {
  const blocks = [...readFileSync(join(operateFolder, `${page}.md`), 'utf8').matchAll(/```[a-z]*\n([\s\S]*?)```/g)].map(
    ([, text = '']) => text,
  )
  const block = blocks.find(text => text.startsWith(begins))
  if (block === undefined) throw new Error(`docs/operate/${page}.md has no block that begins with ${begins}`)
  return Object.entries(replace).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The block ${begins} of docs/operate/${page}.md does not contain ${from}`)
    return text.replaceAll(from, to)
  }, block)
}
