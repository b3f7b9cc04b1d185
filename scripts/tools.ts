export { main } from './machines/find-tools.ts'
