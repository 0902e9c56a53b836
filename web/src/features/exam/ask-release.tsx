import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { endMinuteOf, minuteOf, yuanOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { confirm, namesAndCount } from '#web/ui/dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { fetchExam, postsOf } from './calls.ts'
import { choices, feePerPaper, feePerPerson, feePerPost } from './edit/fields.ts'
import { releaseTexts } from './texts-release.ts'
import type { ExamDetail, Page, PostRow } from './wire.ts'

/** What one person may have to pay, in fen, by the way the examination charges. */
const feesOf = (exam: ExamDetail, posts: Page<PostRow>): readonly number[] => {
  switch (exam['feeMode']) {
    case feePerPerson:
      return [Number(exam['feeFen'] ?? 0)]
    case feePerPaper:
      return exam.examitems.map(paper => paper.feeFen)
    case feePerPost:
      return posts.records.flatMap(post => post.fee ?? [])
    default:
      return []
  }
}
/** `100.00`, or `60.00–120.00` where they differ; null without any. */
export const fenRange = (fees: readonly number[]): string | null => {
  if (fees.length === 0) return null
  const [least, most] = [Math.min(...fees), Math.max(...fees)]
  return least === most ? yuanOf(least) : `${yuanOf(least)}–${yuanOf(most)}`
}

/** What everybody can read of an examination from its release on. */
const BecomesPublic = ({ exam, posts }: { readonly exam: ExamDetail; readonly posts: Page<PostRow> }) => {
  const t = useT(releaseTexts)
  const label = useLabel()
  const fee = choices.feeMode?.find(choice => choice.value === exam['feeMode'])
  const range = fenRange(feesOf(exam, posts))
  const amount = range === null ? '' : ` ${t('release.fee', { yuan: range })}`
  const free = posts.records.filter(post => post.fee === 0).map(post => post.code)
  const plan = posts.records.reduce((sum, post) => sum + post.planNum, 0)
  const required = (list: readonly { readonly required: number }[]) => list.filter(entry => entry.required === 1).length
  return (
    <>
      <p>{t('release.lead', { name: exam.examName })}</p>
      <Facts
        items={[
          { key: 'sign', label: t('release.sign'), value: `${minuteOf(exam.signBegin)} – ${endMinuteOf(exam.signEnd)}` },
          { key: 'fee', label: t('release.pay'), value: `${label(fee?.label ?? { zh: '-', en: '-' })}${amount}` },
          { key: 'posts', label: t('release.posts'), value: t('release.posts.of', { count: posts.total, plan }) },
          {
            key: 'papers',
            label: t('release.papers'),
            value: (
              <ul className="release-papers">
                {exam.examitems.map(paper => (
                  <li key={paper.itemCode}>
                    {paper.itemName} <span className="exam-instant">{minuteOf(paper.startTime)}</span> –{' '}
                    <span className="exam-instant">{endMinuteOf(paper.endTime)}</span>
                  </li>
                ))}
              </ul>
            ),
          },
          {
            key: 'form',
            label: t('release.form'),
            value: t('release.form.of', {
              items: exam.signitems.length,
              required: required(exam.signitems),
              files: exam.signfiles.length,
              requiredFiles: required(exam.signfiles),
            }),
          },
          { key: 'texts', label: t('release.texts'), value: t('release.texts.of') },
        ]}
      />
      {free.length === 0 ? null : <p className="exam-warning">{t('release.free', { posts: namesAndCount(free) })}</p>}
      <p>{t('release.after')}</p>
    </>
  )
}

/** Asks before a release and names what becomes public with it. @returns whether to go on */
export const useAskRelease = (): ((examId: string) => Promise<boolean>) => {
  const t = useT(releaseTexts)
  const client: QueryClient = useQueryClient()
  return useCallback(
    async (examId: string) => {
      const [exam, posts] = await Promise.all([fetchExam(client, examId), postsOf(examId)])
      return confirm({
        title: t('release.title', { name: exam.examName }),
        text: <BecomesPublic exam={exam} posts={posts} />,
        ok: t('release.ok'),
      })
    },
    [client, t],
  )
}
