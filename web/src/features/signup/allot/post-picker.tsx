import { useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { allotTexts } from './texts.ts'

/** So many posts are shown at once; others are found by typing. */
const shown = 50

/** Posts of an examination, found by code or name and ticked. */
export const PostPicker = ({
  examId,
  value,
  onChange,
}: {
  readonly examId: string
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
}) => {
  const t = useT(allotTexts)
  const [keyword, setKeyword] = useState('')
  const query = keyword.trim()
  const posts = useCall(
    'GET /blade-exam/examination/getTypeCodeList',
    { examId, current: 1, size: shown, ...(query === '' ? {} : { keyword: query }) },
    { quiet: true, keepPrevious: true },
  )
  const rows = posts.data?.records ?? []
  return (
    <fieldset className="field">
      <legend>
        {t('codes')}（{value.length === 0 ? t('all') : value.length}）
      </legend>
      {value.length === 0 ? (
        <small>{t('codes.help')}</small>
      ) : (
        <div className="allot-chosen">
          {value.map(code => (
            <button
              key={code}
              type="button"
              className="button button-small"
              aria-label={t('codes.drop', { code })}
              onClick={() => onChange(value.filter(one => one !== code))}
            >
              {code} ×
            </button>
          ))}
        </div>
      )}
      <input
        className="input"
        type="search"
        aria-label={t('codes.find')}
        placeholder={t('codes.find')}
        value={keyword}
        onChange={event => setKeyword(event.target.value)}
      />
      <div className="allot-units">
        {rows.length === 0 && posts.data !== undefined ? <small>{t('codes.none')}</small> : null}
        {rows.map(post => (
          <label key={post.code}>
            <input
              type="checkbox"
              checked={value.includes(post.code)}
              onChange={event => onChange(event.target.checked ? [...value, post.code] : value.filter(one => one !== post.code))}
            />
            {post.code} {post.codeName} · {post.unitName}
          </label>
        ))}
      </div>
      {(posts.data?.total ?? 0) > rows.length ? <small>{t('codes.more', { count: rows.length })}</small> : null}
    </fieldset>
  )
}
