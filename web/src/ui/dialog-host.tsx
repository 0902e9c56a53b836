import { type ComponentType, lazy, Suspense } from 'react'
import { create } from 'zustand'
import { useAsked } from './dialog.tsx'

const ConfirmModal = lazy(async () => ({ default: (await import('./modal.tsx')).ConfirmModal }))

/** What makes dialogs open at once, from when it is there (resource/dialog-kit.tsx). */
const useKit = create<{ Kit: ComponentType | null }>(() => ({ Kit: null }))
export const keepDialogKit = (Kit: ComponentType): void => useKit.setState({ Kit })

export const DialogHost = () => {
  const asked = useAsked(state => state.asked)
  const Kit = useKit(state => state.Kit)
  return (
    <>
      {Kit === null ? null : <Kit />}
      {asked === null ? null : (
        <Suspense>
          <ConfirmModal asked={asked} />
        </Suspense>
      )}
    </>
  )
}
