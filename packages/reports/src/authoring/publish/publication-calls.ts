import { z } from 'zod'
import { PowerBiError } from '../../http/power-bi-error.ts'
import { PublicationBusyError } from './publication.ts'

/** The name of the person who publishes through the portal. */
export const AUTHOR = z.string().trim().max(200).default('')

/** @throws PowerBiError 409 while another publication runs */
export const unlessBusy = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PublicationBusyError)) throw error
    throw new PowerBiError(409, 'PublicationBusy', 'Another publication is under way')
  }
}
