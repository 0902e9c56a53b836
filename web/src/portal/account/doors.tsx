import type { ComponentType } from 'react'
import { latePage } from '#web/kernel/late-page.tsx'
import { NotFoundPage } from '../not-found.tsx'
import { Waiting } from '../waiting.tsx'

const page = (load: () => Promise<ComponentType>) => latePage(load, Waiting)
const RegisterPage = page(() => import('./register.tsx').then(module => module.RegisterPage))
const doors: Readonly<Record<string, ComponentType>> = {
  forgot: page(() => import('./forgot.tsx').then(module => module.ForgotPage)),
  object: page(() => import('./object.tsx').then(module => module.ObjectPage)),
  appeal: page(() => import('./appeal.tsx').then(module => module.AppealPage)),
}

/** Pages of people who are not logged in: registering, a forgotten password, an appeal about a number. */
export const DoorPage = ({ of }: { readonly of?: string | undefined }) => {
  const Page = of === undefined ? RegisterPage : Object.hasOwn(doors, of) ? doors[of] : NotFoundPage
  return Page ? <Page /> : null
}
