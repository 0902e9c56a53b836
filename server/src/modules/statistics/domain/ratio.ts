/** People for each place, as an office writes it: `3.5:1`. Null where there is no place. */
export const ratioText = (people: number, places: number): string | null =>
  places <= 0 ? null : `${String(Math.round((people / places) * 10) / 10)}:1`

/** Whether a post has people enough to be held; a ratio of 0 asks for none (domain 3.1, 4.4). */
export const opensWith = (people: number, places: number, openRatio: number): boolean => openRatio === 0 || people >= places * openRatio
