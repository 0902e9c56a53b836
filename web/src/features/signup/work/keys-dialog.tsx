import { useT } from '#web/kernel/i18n/index.ts'
import { Dialog } from '#web/ui/modal.tsx'
import { keysTexts } from './keys-texts.ts'

export const KeysDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useT(keysTexts)
  const keys = [
    ['1', t('keys.1')],
    ['2', t('keys.2')],
    ['3', t('keys.3')],
    ['Ctrl + Enter', t('keys.ctrl')],
    ['Alt + 1…9', t('keys.tips')],
    ['J', t('keys.j')],
    ['K', t('keys.k')],
    ['[  ]', t('keys.brackets')],
    ['+  −  0', t('keys.zoom')],
    ['R', t('keys.r')],
    ['C', t('keys.c')],
    ['M', t('keys.m')],
    ['U', t('keys.u')],
    ['/', t('keys.slash')],
    ['Esc', t('keys.esc')],
    ['?', t('keys.help')],
  ]
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl className="review-keys">
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
