import { workText, zeroBits } from '#contract/auth/work.ts'
import { firstBlock, sha256Block } from './sha256-block.ts'

/** The page stays alive: it goes on after so long. */
const sliceMs = 12
const breathe = () => new Promise<void>(resolve => setTimeout(resolve, 0))

/** The least number whose hash with the key begins with so many zero bits. @throws AbortError when whoever waits has gone */
export const solve = async (key: string, bits: number, signal?: AbortSignal): Promise<string> => {
  let until = performance.now() + sliceMs
  for (let number = 0; ; number += 1) {
    const answer = String(number)
    if (zeroBits(sha256Block(firstBlock(workText(key, answer)))) >= bits) return answer
    if (number % 256 === 255 && performance.now() > until) {
      await breathe()
      if (signal?.aborted) throw new DOMException('aborted', 'AbortError')
      until = performance.now() + sliceMs
    }
  }
}
