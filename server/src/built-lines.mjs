// Errors of the built server name the file and line of the sources, in the log as on the screen. A table beside each built file says which line
// came from where; it is read when an error is, two numbers of it. Node's own way keeps a map of all the code in memory: 175 MB.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const dist = new URL('../dist/', import.meta.url).href
const sources = new Map()

/** @returns `server/src/app.ts:12`, or undefined where the line has no source */
const sourceOf = (file, line) => {
  try {
    const path = fileURLToPath(`${dist}${file}`)
    const table = openSync(`${path}.lines`, 'r')
    const pair = new Uint32Array(2)
    try {
      if (readSync(table, pair, 0, 8, (line - 1) * 8) !== 8 || pair[0] === 0) return undefined
    } finally {
      closeSync(table)
    }
    if (!sources.has(file)) sources.set(file, readFileSync(`${path}.sources`, 'utf8').split('\n'))
    return `${sources.get(file)[pair[0] - 1]}:${pair[1]}`
  } catch {
    // Somebody removed the tables: the place in the built file is better than nothing.
    return undefined
  }
}

const inBuilt = new RegExp(`${RegExp.escape(dist)}([\\w.-]+):(\\d+):\\d+`)

const headline = error => {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return 'Error'
  }
}

Error.prepareStackTrace = (error, frames) =>
  [
    headline(error),
    ...frames.map(frame => `    at ${String(frame).replace(inBuilt, (whole, file, line) => sourceOf(file, Number(line)) ?? whole)}`),
  ].join('\n')
