import { loadChunk } from '#web/kernel/chunk.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { MovedLine } from './moved-lines.ts'
import { linesTexts } from './texts-lines.ts'

/** The words of the question's head and of its button. */
export const useLinesTexts = () => {
  const t = useT(linesTexts)
  return { title: t('lines.title'), ok: t('lines.ok') }
}

/** Asks before pass lines move under results that are known; the question is loaded when a line has moved. @returns whether to save */
export const askToMoveLines = async (
  examId: string,
  lines: readonly MovedLine[],
  texts: { readonly title: string; readonly ok: string },
): Promise<boolean> => {
  if (lines.length === 0) return true
  const { askAboutLines } = await loadChunk(() => import('./ask-lines.tsx'))
  return askAboutLines(examId, lines, texts)
}
