/** `paramName` → `param_name`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]|\d+$/g, part => (/\d/.test(part) ? part : `_${part.toLowerCase()}`))
