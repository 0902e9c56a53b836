import { usePermissionStore } from '#web/kernel/permission.ts'

/** Whether a field, as `noun.field`, is not seen in full: what is named here is masked or hidden. */
export const isUnseen = (field: string): boolean => Object.hasOwn(usePermissionStore.getState().ruled, field)
