import type { Translate } from '../../../kernel/i18n/index.ts'
import type { reviewZh } from '../zh.ts'

type T = Translate<typeof reviewZh>

export const cannedForItem = (t: T): readonly string[] => [t('advice.item.1'), t('advice.item.2'), t('advice.item.3')]
export const cannedForPost = (t: T): readonly string[] => [t('advice.post.1'), t('advice.post.2')]

/** @param has whether a file stands there at all */
export const cannedForFile = (t: T, fileKey: string, has: boolean): readonly string[] =>
  !has
    ? [t('advice.file.missing')]
    : fileKey === 'photo'
      ? [t('advice.photo.1'), t('advice.photo.2'), t('advice.photo.3'), t('advice.file.1')]
      : [t('advice.file.1'), t('advice.file.2'), t('advice.file.3'), t('advice.file.4')]
