import { createPerson } from './create-person.ts'

/** Creates a data protection officer with access to medical records. */
export const createOfficer = (portal: string, name: string, email: string) =>
  createPerson(portal, name, email, { acessoProntuario: true, encarregadoDados: true })
