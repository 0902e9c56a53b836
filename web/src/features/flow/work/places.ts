interface Of {
  readonly route: string
  readonly taskId: string
  readonly processInstanceId: string
  readonly businessId: string
}

/** Categories whose forms are pages of their own; all others are drawn from what their process declares. */
const ownForms: readonly string[] = ['leave']
const isOwn = ({ route, businessId }: Pick<Of, 'route' | 'businessId'>): boolean => ownForms.includes(route) && businessId !== ''

export const formPlace = (definition: { readonly id: string; readonly route: string; readonly startBy: string }): string =>
  definition.startBy === 'own' && ownForms.includes(definition.route)
    ? `/work/process/${definition.route}/form/${definition.id}`
    : `/work/process/general/form/${definition.id}`

export const handlePlace = (of: Of): string =>
  isOwn(of)
    ? `/work/process/${of.route}/handle/${of.taskId}/${of.processInstanceId}/${of.businessId}`
    : `/work/process/general/handle/${of.taskId}/${of.processInstanceId}`

export const detailPlace = (of: Omit<Of, 'taskId'>): string =>
  isOwn(of)
    ? `/work/process/${of.route}/detail/${of.processInstanceId}/${of.businessId}`
    : `/work/process/general/detail/${of.processInstanceId}`
