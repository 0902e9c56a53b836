/**
 * What is laid and hung out in a room: labels for the desks, a sheet for the door, one to sign, one with the photos. Apart from what draws
 * them: that loads the PDF library, which the server leaves to the threads that draw.
 */
export const roomLayouts = ['desk', 'door', 'sign', 'photo'] as const
export type RoomLayout = (typeof roomLayouts)[number]
