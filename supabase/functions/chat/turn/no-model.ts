import type { ModelClient } from '../../../../shared/engine/models/protocol/model-client.ts'

/** Where no model is asked: the turn is a call that a program has made. */
export const noModel: ModelClient = {
  model: 'none',
  models: [],
  complete: () => Promise.reject(new Error('A call of a program has asked a model.')),
}
