export { listPublicAnnouncements } from './announcements/announcements.ts'
export { createVisitFinder } from './guests/guest-visits.ts'
export { createKioskFinder } from './kiosks/kiosk-devices.ts'
