export { main } from './launch/build-pages.ts'
