import { useMemo } from 'react'
import { useCan } from '#web/kernel/permission.ts'

/** What the reader may do to users. */
export const useUserRights = () => {
  const can = useCan()
  return useMemo(
    () => ({
      add: can('user_add'),
      edit: can('user_edit'),
      delete: can('user_delete'),
      role: can('user_role'),
      reset: can('user_reset'),
      totp: can('user_totp'),
      lock: can('user_lock'),
      audit: can('user_audit'),
      export: can('user_export'),
      import: can('user_import'),
      logins: can('authlog_view'),
    }),
    [can],
  )
}
export type UserRights = ReturnType<typeof useUserRights>
