const controls = 'a[href], button, input, select, textarea, summary, [tabindex]'

/** Whether the keyboard comes into a part of the page, and scrolls it thereby. */
export const hasControl = (box: HTMLElement): boolean => box.querySelector(controls) !== null
