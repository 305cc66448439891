import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'

/** A function of an application that writes to people, as `askback.offer_function` makes a tool of it. */
export const textCustomer: ToolSpecification = {
  name: 'text_customer',
  title: 'Text a customer',
  description: 'Sends a text message.',
  parameters: {
    type: 'object',
    properties: {
      phone: { type: 'string', description: 'phone number', source: 'conversation' },
      message: { type: 'string' },
    },
    required: ['phone', 'message'],
    additionalProperties: false,
  },
  effect: 'write',
  confirm: 'Text "{message}" to {phone}?',
  private: true,
}
