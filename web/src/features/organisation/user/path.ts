/** Where one user stands as a page. */
export const userPath = ({ id }: { readonly id: string }): string => `/system/user/${id}`
