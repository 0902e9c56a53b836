import { workText, zeroBits } from '#contract/auth/work.ts'
import { api } from '../kernel/api.ts'
import { firstBlock, sha256Block } from './sha256-block.ts'

/** The page stays alive: it goes on after so long. */
const sliceMs = 12
const breathe = () => new Promise<void>(resolve => setTimeout(resolve, 0))

/** The least number whose hash with the key begins with so many zero bits. */
export const solve = async (key: string, bits: number): Promise<string> => {
  let until = performance.now() + sliceMs
  for (let number = 0; ; number += 1) {
    const answer = String(number)
    if (zeroBits(sha256Block(firstBlock(workText(key, answer)))) >= bits) return answer
    if (number % 256 === 255 && performance.now() > until) {
      await breathe()
      until = performance.now() + sliceMs
    }
  }
}

/** Key and answer of a captcha that nobody has to see, hear or type. */
export const workInstead = async (): Promise<{ readonly key: string; readonly code: string }> => {
  const { key, bits } = await api.request<{ key: string; bits: number }>({
    method: 'GET',
    path: '/blade-auth/oauth/captcha-work',
    answer: 'bare',
  })
  return { key, code: await solve(key, bits) }
}
