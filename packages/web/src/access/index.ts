export { AskAccess } from './requests/ask-access.tsx'
