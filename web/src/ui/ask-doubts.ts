import { report } from '../kernel/api.ts'
import { isApiError } from '../kernel/api-error.ts'
import { isAsking, withDoubts } from '../kernel/doubts.ts'
import { translate } from '../kernel/i18n/index.ts'
import type { CallOptions } from '../kernel/request.ts'
import { confirm } from './dialog.tsx'

/**
 * Sends what the server may ask about, with the doubts in a dialog. Whoever does not confirm them goes on in the form.
 *
 * @param send - sends with these options; `sure` belongs into the input
 * @throws the refusal; but for doubts it has been shown as calls with `quiet: 'fields'` show theirs
 */
export const sendAsking = async <T>(
  send: (sure: { readonly sure?: string }, options: CallOptions & { readonly quiet: true }) => Promise<T>,
): Promise<T> => {
  try {
    return await withDoubts(
      sure => send(sure, { quiet: true }),
      doubts =>
        confirm({
          title: translate('doubts.title'),
          text: doubts.join('\n'),
          ok: translate('doubts.ok'),
          cancel: translate('doubts.back'),
        }),
    )
  } catch (error) {
    if (isApiError(error) && !isAsking(error)) report(error, 'fields')
    throw error
  }
}
