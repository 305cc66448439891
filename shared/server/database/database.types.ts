export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  askback: {
    Tables: {
      agent_llm_preferences: {
        Row: {
          agent_id: string
          created_at: string
          fallbacks: NonNullable<Json>
          max_output_tokens: number | null
          model: string | null
          parameters: NonNullable<Json>
          provider: string | null
          retry_temperature: number | null
          temperature: number | null
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          agent_id: string
          created_at?: string
          fallbacks?: NonNullable<Json>
          max_output_tokens?: number | null
          model?: string | null
          parameters?: NonNullable<Json>
          provider?: string | null
          retry_temperature?: number | null
          temperature?: number | null
          updated_at?: string
        }
        Update: {
          agent_id?: string
          created_at?: string
          fallbacks?: NonNullable<Json>
          max_output_tokens?: number | null
          model?: string | null
          parameters?: NonNullable<Json>
          provider?: string | null
          retry_temperature?: number | null
          temperature?: number | null
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'agent_llm_preferences_agent_id_fkey'
            columns: ['agent_id']
            isOneToOne: true
            referencedRelation: 'agents'
            referencedColumns: ['id']
          },
        ]
      }
      agent_tool_permissions: {
        Row: {
          agent_id: string
          allowed: boolean
          approval: string | null
          connection_id: string | null
          created_at: string
          tool_name: string
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          agent_id: string
          allowed?: boolean
          approval?: string | null
          connection_id?: string | null
          created_at?: string
          tool_name: string
          updated_at?: string
        }
        Update: {
          agent_id?: string
          allowed?: boolean
          approval?: string | null
          connection_id?: string | null
          created_at?: string
          tool_name?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'agent_tool_permissions_agent_id_fkey'
            columns: ['agent_id']
            isOneToOne: false
            referencedRelation: 'agents'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'agent_tool_permissions_connection_id_fkey'
            columns: ['connection_id']
            isOneToOne: false
            referencedRelation: 'connections'
            referencedColumns: ['id']
          },
        ]
      }
      agents: {
        Row: {
          created_at: string
          id: string
          instructions: string
          is_default: boolean
          name: string
          tool_access: string
          updated_at: string
          user_id: string
          permitted_tools: Json | null
        }
        ComputedFields: 'permitted_tools'
        Insert: {
          created_at?: string
          id?: string
          instructions: string
          is_default?: boolean
          name: string
          tool_access?: string
          updated_at?: string
          user_id?: string
        }
        Update: {
          created_at?: string
          id?: string
          instructions?: string
          is_default?: boolean
          name?: string
          tool_access?: string
          updated_at?: string
          user_id?: string
        }
        Relationships: []
      }
      api_tokens: {
        Row: {
          agents: string[] | null
          created_at: string
          expires_at: string | null
          hash: string
          id: string
          last_used_at: string | null
          name: string
          prefix: string
          revoked_at: string | null
          user_id: string
          token_json: Json | null
        }
        ComputedFields: 'token_json'
        Insert: {
          agents?: string[] | null
          created_at?: string
          expires_at?: string | null
          hash: string
          id: string
          last_used_at?: string | null
          name: string
          prefix: string
          revoked_at?: string | null
          user_id: string
        }
        Update: {
          agents?: string[] | null
          created_at?: string
          expires_at?: string | null
          hash?: string
          id?: string
          last_used_at?: string | null
          name?: string
          prefix?: string
          revoked_at?: string | null
          user_id?: string
        }
        Relationships: []
      }
      connection_secrets: {
        Row: {
          ciphertext: string
          connection_id: string
          field: string
          key_id: string
          updated_at: string
          version: number
          sealed_json: Json | null
        }
        ComputedFields: 'sealed_json'
        Insert: {
          ciphertext: string
          connection_id: string
          field: string
          key_id: string
          updated_at?: string
          version: number
        }
        Update: {
          ciphertext?: string
          connection_id?: string
          field?: string
          key_id?: string
          updated_at?: string
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: 'connection_secrets_connection_id_fkey'
            columns: ['connection_id']
            isOneToOne: false
            referencedRelation: 'connections'
            referencedColumns: ['id']
          },
        ]
      }
      connections: {
        Row: {
          account: string | null
          created_at: string
          expires_at: string | null
          id: string
          label: string
          last_error: string | null
          last_used_at: string | null
          metadata: NonNullable<Json>
          position: number
          provider: string
          scopes: string[] | null
          status: string
          updated_at: string
          user_id: string
          connection_json: Json | null
        }
        ComputedFields: 'connection_json'
        Insert: {
          account?: string | null
          created_at?: string
          expires_at?: string | null
          id?: string
          label?: string
          last_error?: string | null
          last_used_at?: string | null
          metadata?: NonNullable<Json>
          position?: number
          provider: string
          scopes?: string[] | null
          status?: string
          updated_at?: string
          user_id: string
        }
        Update: {
          account?: string | null
          created_at?: string
          expires_at?: string | null
          id?: string
          label?: string
          last_error?: string | null
          last_used_at?: string | null
          metadata?: NonNullable<Json>
          position?: number
          provider?: string
          scopes?: string[] | null
          status?: string
          updated_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'connections_provider_fkey'
            columns: ['provider']
            isOneToOne: false
            referencedRelation: 'integrations'
            referencedColumns: ['id']
          },
        ]
      }
      conversations: {
        Row: {
          agent_id: string | null
          archived: boolean
          client_chat: string | null
          created_at: string
          id: string
          last_intent: number
          model: string | null
          open_count: number
          pinned: boolean
          title: string | null
          updated_at: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          agent_id?: string | null
          archived?: boolean
          client_chat?: string | null
          created_at?: string
          id: string
          last_intent?: number
          model?: string | null
          open_count?: number
          pinned?: boolean
          title?: string | null
          updated_at?: string
          user_id: string
        }
        Update: {
          agent_id?: string | null
          archived?: boolean
          client_chat?: string | null
          created_at?: string
          id?: string
          last_intent?: number
          model?: string | null
          open_count?: number
          pinned?: boolean
          title?: string | null
          updated_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'conversations_agent_id_fkey'
            columns: ['agent_id']
            isOneToOne: false
            referencedRelation: 'agents'
            referencedColumns: ['id']
          },
        ]
      }
      document_changes: {
        Row: {
          created_at: string
          document_id: string
          idempotency_key: string
          result: NonNullable<Json>
          user_id: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          document_id: string
          idempotency_key: string
          result: NonNullable<Json>
          user_id: string
        }
        Update: {
          created_at?: string
          document_id?: string
          idempotency_key?: string
          result?: NonNullable<Json>
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'document_changes_document_id_fkey'
            columns: ['document_id']
            isOneToOne: false
            referencedRelation: 'documents'
            referencedColumns: ['id']
          },
        ]
      }
      document_versions: {
        Row: {
          content: string
          document_id: string
          replaced_at: string
          revision: number
        }
        ComputedFields: never
        Insert: {
          content: string
          document_id: string
          replaced_at?: string
          revision: number
        }
        Update: {
          content?: string
          document_id?: string
          replaced_at?: string
          revision?: number
        }
        Relationships: [
          {
            foreignKeyName: 'document_versions_document_id_fkey'
            columns: ['document_id']
            isOneToOne: false
            referencedRelation: 'documents'
            referencedColumns: ['id']
          },
        ]
      }
      documents: {
        Row: {
          content: string
          created_at: string
          id: string
          revision: number
          title: string
          updated_at: string
          user_id: string
          words: unknown
        }
        ComputedFields: never
        Insert: {
          content?: string
          created_at?: string
          id?: string
          revision?: number
          title: string
          updated_at?: string
          user_id: string
          words?: never
        }
        Update: {
          content?: string
          created_at?: string
          id?: string
          revision?: number
          title?: string
          updated_at?: string
          user_id?: string
          words?: never
        }
        Relationships: []
      }
      entries: {
        Row: {
          conversation_id: string
          created_at: string
          entry: NonNullable<Json>
          message_id: string
          private: Json | null
          run_id: string
          sequence: number
          tool_call_id: string | null
          type: string
          user_id: string
          version: number
          words: unknown
        }
        ComputedFields: never
        Insert: {
          conversation_id: string
          created_at?: string
          entry: NonNullable<Json>
          message_id: string
          private?: Json | null
          run_id: string
          sequence: number
          tool_call_id?: never
          type?: never
          user_id: string
          version?: number
          words?: never
        }
        Update: {
          conversation_id?: string
          created_at?: string
          entry?: NonNullable<Json>
          message_id?: string
          private?: Json | null
          run_id?: string
          sequence?: number
          tool_call_id?: never
          type?: never
          user_id?: string
          version?: number
          words?: never
        }
        Relationships: [
          {
            foreignKeyName: 'entries_run_id_fkey'
            columns: ['run_id']
            isOneToOne: false
            referencedRelation: 'runs'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'entries_user_id_conversation_id_message_id_fkey'
            columns: ['user_id', 'conversation_id', 'message_id']
            isOneToOne: false
            referencedRelation: 'messages'
            referencedColumns: ['user_id', 'conversation_id', 'id']
          },
        ]
      }
      exposed_schemas: {
        Row: {
          name: string
        }
        ComputedFields: never
        Insert: {
          name: string
        }
        Update: {
          name?: string
        }
        Relationships: []
      }
      files: {
        Row: {
          content: string | null
          created_at: string
          filename: string
          id: string
          media_type: string
          object: string | null
          reading: Json | null
          sha256: string
          size: number
          unused_since: string | null
          user_id: string
          file_json: Json | null
        }
        ComputedFields: 'file_json'
        Insert: {
          content?: string | null
          created_at?: string
          filename: string
          id: string
          media_type: string
          object?: string | null
          reading?: Json | null
          sha256: string
          size: number
          unused_since?: string | null
          user_id: string
        }
        Update: {
          content?: string | null
          created_at?: string
          filename?: string
          id?: string
          media_type?: string
          object?: string | null
          reading?: Json | null
          sha256?: string
          size?: number
          unused_since?: string | null
          user_id?: string
        }
        Relationships: []
      }
      integrations: {
        Row: {
          built_in: boolean
          connection: NonNullable<Json>
          description: string
          function: string
          id: string
          name: string
          oauth: Json | null
          position: number
          purpose: string
          service: string
        }
        ComputedFields: never
        Insert: {
          built_in?: boolean
          connection: NonNullable<Json>
          description: string
          function: string
          id: string
          name: string
          oauth?: Json | null
          position?: number
          purpose: string
          service: string
        }
        Update: {
          built_in?: boolean
          connection?: NonNullable<Json>
          description?: string
          function?: string
          id?: string
          name?: string
          oauth?: Json | null
          position?: number
          purpose?: string
          service?: string
        }
        Relationships: []
      }
      llm_usage: {
        Row: {
          agent_id: string | null
          conversation_id: string | null
          cost_usd: number | null
          created_at: string
          duration_ms: number | null
          id: number
          input_tokens: number
          model: string
          output_tokens: number
          provider: string
          purpose: string | null
          run_id: string | null
          sequence: number
          temperature: number | null
          user_id: string
        }
        ComputedFields: never
        Insert: {
          agent_id?: string | null
          conversation_id?: string | null
          cost_usd?: number | null
          created_at?: string
          duration_ms?: number | null
          id?: never
          input_tokens?: number
          model: string
          output_tokens?: number
          provider: string
          purpose?: string | null
          run_id?: string | null
          sequence: number
          temperature?: number | null
          user_id: string
        }
        Update: {
          agent_id?: string | null
          conversation_id?: string | null
          cost_usd?: number | null
          created_at?: string
          duration_ms?: number | null
          id?: never
          input_tokens?: number
          model?: string
          output_tokens?: number
          provider?: string
          purpose?: string | null
          run_id?: string | null
          sequence?: number
          temperature?: number | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'llm_usage_agent_id_fkey'
            columns: ['agent_id']
            isOneToOne: false
            referencedRelation: 'agents'
            referencedColumns: ['id']
          },
        ]
      }
      message_feedback: {
        Row: {
          conversation_id: string
          message_id: string
          rated_at: string
          rating: string
          reason: string | null
          run_id: string | null
          user_id: string
        }
        ComputedFields: never
        Insert: {
          conversation_id: string
          message_id: string
          rated_at?: string
          rating: string
          reason?: string | null
          run_id?: string | null
          user_id: string
        }
        Update: {
          conversation_id?: string
          message_id?: string
          rated_at?: string
          rating?: string
          reason?: string | null
          run_id?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'message_feedback_run_id_fkey'
            columns: ['run_id']
            isOneToOne: false
            referencedRelation: 'runs'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'message_feedback_user_id_conversation_id_message_id_fkey'
            columns: ['user_id', 'conversation_id', 'message_id']
            isOneToOne: true
            referencedRelation: 'messages'
            referencedColumns: ['user_id', 'conversation_id', 'id']
          },
        ]
      }
      message_files: {
        Row: {
          conversation_id: string
          file_id: string
          message_id: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          conversation_id: string
          file_id: string
          message_id: string
          user_id: string
        }
        Update: {
          conversation_id?: string
          file_id?: string
          message_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'message_files_file_id_fkey'
            columns: ['file_id']
            isOneToOne: false
            referencedRelation: 'files'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'message_files_user_id_conversation_id_message_id_fkey'
            columns: ['user_id', 'conversation_id', 'message_id']
            isOneToOne: false
            referencedRelation: 'messages'
            referencedColumns: ['user_id', 'conversation_id', 'id']
          },
        ]
      }
      messages: {
        Row: {
          conversation_id: string
          created_at: string
          id: string
          metadata: Json | null
          position: number
          role: string
          superseded_at: string | null
          turn_id: string
          user_id: string
          written_at: string | null
          typed_words: string | null
          whole_entries: Json | null
        }
        ComputedFields: 'typed_words' | 'whole_entries'
        Insert: {
          conversation_id: string
          created_at?: string
          id: string
          metadata?: Json | null
          position?: number
          role: string
          superseded_at?: string | null
          turn_id: string
          user_id: string
          written_at?: string | null
        }
        Update: {
          conversation_id?: string
          created_at?: string
          id?: string
          metadata?: Json | null
          position?: number
          role?: string
          superseded_at?: string | null
          turn_id?: string
          user_id?: string
          written_at?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'messages_user_id_conversation_id_fkey'
            columns: ['user_id', 'conversation_id']
            isOneToOne: false
            referencedRelation: 'conversations'
            referencedColumns: ['user_id', 'id']
          },
        ]
      }
      oauth_flows: {
        Row: {
          code_hash: string | null
          created_at: string
          expires_at: string
          id: string
          provider: string
          provider_code: Json | null
          return_to: string
          scopes: string[]
          state_hash: string | null
          taken_by: string | null
          user_id: string
          verifier: NonNullable<Json>
        }
        ComputedFields: never
        Insert: {
          code_hash?: string | null
          created_at?: string
          expires_at: string
          id: string
          provider: string
          provider_code?: Json | null
          return_to: string
          scopes: string[]
          state_hash?: string | null
          taken_by?: string | null
          user_id: string
          verifier: NonNullable<Json>
        }
        Update: {
          code_hash?: string | null
          created_at?: string
          expires_at?: string
          id?: string
          provider?: string
          provider_code?: Json | null
          return_to?: string
          scopes?: string[]
          state_hash?: string | null
          taken_by?: string | null
          user_id?: string
          verifier?: NonNullable<Json>
        }
        Relationships: [
          {
            foreignKeyName: 'oauth_flows_provider_fkey'
            columns: ['provider']
            isOneToOne: false
            referencedRelation: 'integrations'
            referencedColumns: ['id']
          },
        ]
      }
      oauth_grants: {
        Row: {
          access_expires_at: string
          connection_id: string
          lease_expires_at: string | null
          lease_holder: string | null
          server: string
          subject: string
        }
        ComputedFields: never
        Insert: {
          access_expires_at: string
          connection_id: string
          lease_expires_at?: string | null
          lease_holder?: string | null
          server: string
          subject: string
        }
        Update: {
          access_expires_at?: string
          connection_id?: string
          lease_expires_at?: string | null
          lease_holder?: string | null
          server?: string
          subject?: string
        }
        Relationships: [
          {
            foreignKeyName: 'oauth_grants_connection_id_fkey'
            columns: ['connection_id']
            isOneToOne: true
            referencedRelation: 'connections'
            referencedColumns: ['id']
          },
        ]
      }
      offered_functions: {
        Row: {
          function_name: string
          offered_at: string
          options: NonNullable<Json>
          schema_name: string
          shape: string
          tool_id: string
        }
        ComputedFields: never
        Insert: {
          function_name: string
          offered_at?: string
          options: NonNullable<Json>
          schema_name: string
          shape: string
          tool_id: string
        }
        Update: {
          function_name?: string
          offered_at?: string
          options?: NonNullable<Json>
          schema_name?: string
          shape?: string
          tool_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'offered_functions_tool_id_fkey'
            columns: ['tool_id']
            isOneToOne: true
            referencedRelation: 'tools'
            referencedColumns: ['id']
          },
        ]
      }
      open_items: {
        Row: {
          agent_id: string | null
          asked_at: string
          closed_as: string | null
          closed_at: string | null
          closed_by: string | null
          conversation_id: string
          expires_at: string | null
          heard_at: string | null
          id: string
          intent: number
          kind: string
          message_id: string
          resume_at: string | null
          run_id: string
          tool_call_id: string
          tool_name: string
          turn_id: string
          uncertain: boolean
          user_id: string
          expired_item: Json | null
        }
        ComputedFields: 'expired_item'
        Insert: {
          agent_id?: string | null
          asked_at: string
          closed_as?: string | null
          closed_at?: string | null
          closed_by?: string | null
          conversation_id: string
          expires_at?: string | null
          heard_at?: string | null
          id: string
          intent: number
          kind: string
          message_id: string
          resume_at?: string | null
          run_id: string
          tool_call_id: string
          tool_name: string
          turn_id: string
          uncertain?: boolean
          user_id: string
        }
        Update: {
          agent_id?: string | null
          asked_at?: string
          closed_as?: string | null
          closed_at?: string | null
          closed_by?: string | null
          conversation_id?: string
          expires_at?: string | null
          heard_at?: string | null
          id?: string
          intent?: number
          kind?: string
          message_id?: string
          resume_at?: string | null
          run_id?: string
          tool_call_id?: string
          tool_name?: string
          turn_id?: string
          uncertain?: boolean
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'open_items_agent_id_fkey'
            columns: ['agent_id']
            isOneToOne: false
            referencedRelation: 'agents'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'open_items_run_id_fkey'
            columns: ['run_id']
            isOneToOne: false
            referencedRelation: 'runs'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'open_items_user_id_conversation_id_message_id_fkey'
            columns: ['user_id', 'conversation_id', 'message_id']
            isOneToOne: false
            referencedRelation: 'messages'
            referencedColumns: ['user_id', 'conversation_id', 'id']
          },
        ]
      }
      operator_log: {
        Row: {
          action: string
          created_at: string
          id: string
          operator_id: string | null
          reason: string | null
          run_id: string | null
          subject: string | null
          user_id: string | null
        }
        ComputedFields: never
        Insert: {
          action: string
          created_at?: string
          id: string
          operator_id?: string | null
          reason?: string | null
          run_id?: string | null
          subject?: string | null
          user_id?: string | null
        }
        Update: {
          action?: string
          created_at?: string
          id?: string
          operator_id?: string | null
          reason?: string | null
          run_id?: string | null
          subject?: string | null
          user_id?: string | null
        }
        Relationships: []
      }
      operators: {
        Row: {
          created_at: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          user_id: string
        }
        Update: {
          created_at?: string
          user_id?: string
        }
        Relationships: []
      }
      removed_objects: {
        Row: {
          object: string
          removed_at: string
        }
        ComputedFields: never
        Insert: {
          object: string
          removed_at?: string
        }
        Update: {
          object?: string
          removed_at?: string
        }
        Relationships: []
      }
      runs: {
        Row: {
          agent_id: string | null
          client: Json | null
          conversation_id: string
          decided: NonNullable<Json>
          end_unread: boolean
          finished_at: string | null
          followers: Json | null
          id: string
          lease_expires_at: string
          left_at: string | null
          message_id: string
          request_hash: string
          resumed_run_id: string | null
          root_run_id: string
          started_at: string
          status: string
          superseded_at: string | null
          told: string[]
          turn_id: string
          user_id: string
          answers_again: boolean | null
          heed_followers: {
            agent_id: string | null
            client: Json | null
            conversation_id: string
            decided: NonNullable<Json>
            end_unread: boolean
            finished_at: string | null
            followers: Json | null
            id: string
            lease_expires_at: string
            left_at: string | null
            message_id: string
            request_hash: string
            resumed_run_id: string | null
            root_run_id: string
            started_at: string
            status: string
            superseded_at: string | null
            told: string[]
            turn_id: string
            user_id: string
          } | null
          is_answered_by_later: boolean | null
          join_answer: Json | null
          left_no_trace: boolean | null
          prior_writes: Json | null
          return_answer: Json | null
          run_facts: Json | null
          run_view: Json | null
          used_tools: Json | null
        }
        ComputedFields:
          | 'answers_again'
          | 'heed_followers'
          | 'is_answered_by_later'
          | 'join_answer'
          | 'left_no_trace'
          | 'prior_writes'
          | 'return_answer'
          | 'run_facts'
          | 'run_view'
          | 'used_tools'
        Insert: {
          agent_id?: string | null
          client?: Json | null
          conversation_id: string
          decided?: NonNullable<Json>
          end_unread?: boolean
          finished_at?: string | null
          followers?: Json | null
          id: string
          lease_expires_at: string
          left_at?: string | null
          message_id: string
          request_hash: string
          resumed_run_id?: string | null
          root_run_id: string
          started_at?: string
          status?: string
          superseded_at?: string | null
          told?: string[]
          turn_id: string
          user_id: string
        }
        Update: {
          agent_id?: string | null
          client?: Json | null
          conversation_id?: string
          decided?: NonNullable<Json>
          end_unread?: boolean
          finished_at?: string | null
          followers?: Json | null
          id?: string
          lease_expires_at?: string
          left_at?: string | null
          message_id?: string
          request_hash?: string
          resumed_run_id?: string | null
          root_run_id?: string
          started_at?: string
          status?: string
          superseded_at?: string | null
          told?: string[]
          turn_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'runs_agent_id_fkey'
            columns: ['agent_id']
            isOneToOne: false
            referencedRelation: 'agents'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'runs_resumed_run_id_fkey'
            columns: ['resumed_run_id']
            isOneToOne: false
            referencedRelation: 'runs'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'runs_user_id_conversation_id_fkey'
            columns: ['user_id', 'conversation_id']
            isOneToOne: false
            referencedRelation: 'conversations'
            referencedColumns: ['user_id', 'id']
          },
        ]
      }
      tool_executions: {
        Row: {
          actual_type: string | null
          argument_hash: string | null
          arguments: NonNullable<Json>
          attempt: number
          by_client: boolean
          closed: boolean
          conversation_id: string | null
          created_at: string
          delivery_id: string | null
          duration_ms: number | null
          effect: string
          effect_started_at: string | null
          error_type: string | null
          expected_type: string | null
          heard_at: string | null
          id: string
          idempotency_key: string | null
          intent: number
          lease_expires_at: string | null
          named: string
          note: Json | null
          parameter: string | null
          position: number
          repairs: NonNullable<Json>
          repeats: boolean
          repetition: number
          result: Json | null
          run_id: string | null
          session_id: string
          settled_at: string | null
          sourced: string
          status: string
          tool_call_id: string
          tool_name: string
          turn_id: string | null
          user_id: string
        }
        ComputedFields: never
        Insert: {
          actual_type?: never
          argument_hash?: string | null
          arguments: NonNullable<Json>
          attempt?: number
          by_client?: boolean
          closed?: boolean
          conversation_id?: string | null
          created_at?: string
          delivery_id?: string | null
          duration_ms?: number | null
          effect: string
          effect_started_at?: string | null
          error_type?: never
          expected_type?: never
          heard_at?: string | null
          id: string
          idempotency_key?: string | null
          intent?: number
          lease_expires_at?: string | null
          named?: string
          note?: Json | null
          parameter?: never
          position?: never
          repairs?: NonNullable<Json>
          repeats?: boolean
          repetition?: number
          result?: Json | null
          run_id?: string | null
          session_id: string
          settled_at?: string | null
          sourced?: string
          status: string
          tool_call_id: string
          tool_name: string
          turn_id?: string | null
          user_id: string
        }
        Update: {
          actual_type?: never
          argument_hash?: string | null
          arguments?: NonNullable<Json>
          attempt?: number
          by_client?: boolean
          closed?: boolean
          conversation_id?: string | null
          created_at?: string
          delivery_id?: string | null
          duration_ms?: number | null
          effect?: string
          effect_started_at?: string | null
          error_type?: never
          expected_type?: never
          heard_at?: string | null
          id?: string
          idempotency_key?: string | null
          intent?: number
          lease_expires_at?: string | null
          named?: string
          note?: Json | null
          parameter?: never
          position?: never
          repairs?: NonNullable<Json>
          repeats?: boolean
          repetition?: number
          result?: Json | null
          run_id?: string | null
          session_id?: string
          settled_at?: string | null
          sourced?: string
          status?: string
          tool_call_id?: string
          tool_name?: string
          turn_id?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'tool_executions_run_id_fkey'
            columns: ['run_id']
            isOneToOne: false
            referencedRelation: 'runs'
            referencedColumns: ['id']
          },
        ]
      }
      tools: {
        Row: {
          action: string
          approval: string
          enabled: boolean
          function: string
          id: string
          name: string
          off_reason: string | null
          position: number
          providers: string[]
          source: string
          specification: NonNullable<Json>
        }
        ComputedFields: never
        Insert: {
          action: string
          approval?: string
          enabled?: boolean
          function: string
          id?: string
          name: string
          off_reason?: string | null
          position?: number
          providers?: string[]
          source?: string
          specification: NonNullable<Json>
        }
        Update: {
          action?: string
          approval?: string
          enabled?: boolean
          function?: string
          id?: string
          name?: string
          off_reason?: string | null
          position?: number
          providers?: string[]
          source?: string
          specification?: NonNullable<Json>
        }
        Relationships: []
      }
    }
    Views: {
      tool_execution_errors: {
        Row: {
          actual_type: string | null
          attempt: number
          conversation_id: string | null
          created_at: string
          error_type: string | null
          expected_type: string | null
          id: string
          parameter: string | null
          run_id: string | null
          session_id: string
          status: string
          tool_call_id: string
          tool_name: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          actual_type?: string | null
          attempt?: number | null
          conversation_id?: string | null
          created_at?: string | null
          error_type?: string | null
          expected_type?: string | null
          id?: string | null
          parameter?: string | null
          run_id?: string | null
          session_id?: string | null
          status?: string | null
          tool_call_id?: string | null
          tool_name?: string | null
          user_id?: string | null
        }
        Update: {
          actual_type?: string | null
          attempt?: number | null
          conversation_id?: string | null
          created_at?: string | null
          error_type?: string | null
          expected_type?: string | null
          id?: string | null
          parameter?: string | null
          run_id?: string | null
          session_id?: string | null
          status?: string | null
          tool_call_id?: string | null
          tool_name?: string | null
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'tool_executions_run_id_fkey'
            columns: ['run_id']
            isOneToOne: false
            referencedRelation: 'runs'
            referencedColumns: ['id']
          },
        ]
      }
      tool_execution_sessions: {
        Row: {
          attempts: number | null
          conversation_id: string | null
          ended_at: string | null
          errors: number | null
          has_errors: boolean | null
          retry_succeeded: boolean | null
          session_id: string
          started_at: string | null
          tool_name: string | null
          user_id: string
        }
        ComputedFields: never
        Relationships: []
      }
    }
    Functions: {
      account_exists: { Args: { p_user_id: string }; Returns: boolean }
      add_follower: { Args: { p_follower: string; p_run_id: string; p_user_id: string }; Returns: undefined }
      amend_note: {
        Args: {
          p_delivery_id: string
          p_earlier: Json
          p_invocation_id: string
          p_note: Json
          p_user_id: string
        }
        Returns: boolean
      }
      answer_again: {
        Args: { p_conversation_id: string; p_request: Json; p_run_id: string; p_user_id: string }
        Returns: Json
      }
      answers_again: {
        Args: {
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: boolean
      }
      append_entries: {
        Args: {
          p_entries: Json
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: undefined
      }
      begin_completion: { Args: { p_request: Json; p_user_id: string }; Returns: Json }
      begin_effect: { Args: { p_effect: Json; p_user_id: string }; Returns: Json }
      begin_oauth: { Args: { p_flow: Json; p_user_id: string }; Returns: undefined }
      begin_oauth_refresh: {
        Args: {
          p_connection_id: string
          p_holder: string
          p_lease_seconds: number
          p_margin_seconds: number
          p_refused_version?: number
          p_user_id: string
        }
        Returns: Json
      }
      begin_or_join_completion: { Args: { p_request: Json; p_user_id: string }; Returns: Json }
      begin_or_join_turn: { Args: { p_request: Json; p_user_id: string }; Returns: Json }
      begin_resume: { Args: { p_answer: Json; p_conversation_id: string; p_user_id: string }; Returns: Json }
      begin_turn: { Args: { p_request: Json; p_user_id: string }; Returns: Json }
      busy_answer: { Args: { p_conversation_id: string; p_user_id: string }; Returns: Json }
      call_off_effect: {
        Args: { p_delivery_id: string; p_invocation_id: string; p_user_id: string }
        Returns: boolean
      }
      call_offered_function: {
        Args: { p_arguments: Json; p_claims?: Json; p_tool_name: string; p_user_id: string }
        Returns: Json
      }
      change_connection: {
        Args: { p_change: Json; p_connection_id: string; p_user_id: string }
        Returns: Json
      }
      change_conversation: {
        Args: {
          p_archived?: boolean
          p_conversation_id: string
          p_pinned?: boolean
          p_title?: string
          p_user_id: string
        }
        Returns: Json
      }
      change_document: {
        Args: { p_change: Json; p_document_id: string; p_idempotency_key: string; p_user_id: string }
        Returns: Json
      }
      check_schema: { Args: { p_definition: string; p_subject: string }; Returns: Json }
      choose_agent: {
        Args: { p_asked_for: string; p_conversation_agent: string; p_user_id: string }
        Returns: string
      }
      claim_invocation: { Args: { p_entries?: Json; p_invocation: Json; p_run_id: string }; Returns: Json }
      close_item: {
        Args: {
          p_as: string
          p_item: Omit<
            Database['askback']['Tables']['open_items']['Row'],
            Database['askback']['Tables']['open_items']['ComputedFields']
          >
        }
        Returns: undefined
      }
      closed_items: {
        Args: { p_conversation_id: string; p_message_id: string; p_user_id: string }
        Returns: Json
      }
      connection_json: {
        Args: {
          p_connection: Omit<
            Database['askback']['Tables']['connections']['Row'],
            Database['askback']['Tables']['connections']['ComputedFields']
          >
        }
        Returns: Json
      }
      continue_message: {
        Args: {
          p_conversation: Omit<
            Database['askback']['Tables']['conversations']['Row'],
            Database['askback']['Tables']['conversations']['ComputedFields']
          >
          p_message_id: string
          p_request: Json
          p_request_hash: string
        }
        Returns: Json
      }
      conversation_of_request: { Args: { p_key: string; p_user_id: string }; Returns: string }
      count_open: { Args: { p_conversation_id: string; p_user_id: string }; Returns: undefined }
      create_api_token: { Args: { p_token: Json; p_user_id: string }; Returns: Json }
      create_document: {
        Args: { p_content: string; p_idempotency_key: string; p_title: string; p_user_id: string }
        Returns: Json
      }
      current_message: {
        Args: { p_conversation_id: string; p_id: string; p_user_id: string }
        Returns: {
          conversation_id: string
          created_at: string
          id: string
          metadata: Json | null
          position: number
          role: string
          superseded_at: string | null
          turn_id: string
          user_id: string
          written_at: string | null
        }
        SetofOptions: {
          from: '*'
          to: 'messages'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      cut_conversation: {
        Args: { p_conversation_id: string; p_position: number; p_user_id: string }
        Returns: undefined
      }
      cut_turn: {
        Args: {
          p_conversation: Omit<
            Database['askback']['Tables']['conversations']['Row'],
            Database['askback']['Tables']['conversations']['ComputedFields']
          >
          p_message_id: string
          p_turn_id: string
          p_words: string
        }
        Returns: undefined
      }
      deciding_run: {
        Args: { p_conversation_id: string; p_item_id: string; p_user_id: string }
        Returns: {
          agent_id: string | null
          client: Json | null
          conversation_id: string
          decided: NonNullable<Json>
          end_unread: boolean
          finished_at: string | null
          followers: Json | null
          id: string
          lease_expires_at: string
          left_at: string | null
          message_id: string
          request_hash: string
          resumed_run_id: string | null
          root_run_id: string
          started_at: string
          status: string
          superseded_at: string | null
          told: string[]
          turn_id: string
          user_id: string
        }
        SetofOptions: {
          from: '*'
          to: 'runs'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      decision_of: {
        Args: {
          p_item_id: string
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: Json
      }
      default_value: { Args: { p_default: string }; Returns: Json }
      delete_account: { Args: { p_user_id: string }; Returns: Json }
      delete_conversation: { Args: { p_conversation_id: string; p_user_id: string }; Returns: Json }
      delete_unused_files: { Args: { p_ids: string[] }; Returns: undefined }
      describe_constraint: {
        Args: { p_constraint: string; p_relation?: string; p_tool_name: string }
        Returns: Json
      }
      describe_type: { Args: { p_type_name: string }; Returns: Json }
      drop_abandoned_files: { Args: Record<PropertyKey, never>; Returns: undefined }
      drop_files: { Args: { p_ids: string[]; p_user_id: string }; Returns: undefined }
      due_runs: { Args: { p_limit?: number }; Returns: Json }
      earlier_change: { Args: { p_idempotency_key: string; p_user_id: string }; Returns: Json }
      earlier_write: {
        Args: {
          p_invocation: Json
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: Json
      }
      effective_status: { Args: { p_lease_expires_at: string; p_status: string }; Returns: string }
      end_waits_of_stopped: { Args: { p_conversation_id: string; p_user_id: string }; Returns: undefined }
      entries_for_model: {
        Args: {
          p_before: number
          p_message: Omit<
            Database['askback']['Tables']['messages']['Row'],
            Database['askback']['Tables']['messages']['ComputedFields']
          >
        }
        Returns: Json
      }
      entry_words: { Args: { p_entry: Json; p_user_id: string }; Returns: unknown }
      expire_executions: { Args: Record<PropertyKey, never>; Returns: number }
      expire_items: { Args: { p_conversation_id: string; p_user_id: string }; Returns: undefined }
      expire_runs: { Args: { p_conversation_id: string; p_user_id: string }; Returns: undefined }
      expired_item: {
        Args: {
          p_item: Omit<
            Database['askback']['Tables']['open_items']['Row'],
            Database['askback']['Tables']['open_items']['ComputedFields']
          >
        }
        Returns: Json
      }
      fail_oauth_refresh: {
        Args: {
          p_connection_id: string
          p_error?: string
          p_holder: string
          p_user_id: string
          p_version?: number
        }
        Returns: boolean
      }
      file_json: {
        Args: {
          p_file: Omit<
            Database['askback']['Tables']['files']['Row'],
            Database['askback']['Tables']['files']['ComputedFields']
          >
        }
        Returns: Json
      }
      find_files: { Args: { p_ids: string[]; p_user_id: string }; Returns: Json }
      find_function: { Args: { p_function: string }; Returns: unknown }
      find_oauth_connection: {
        Args: { p_provider: string; p_server: string; p_subject: string; p_user_id: string }
        Returns: Json
      }
      find_runs: { Args: { p_act: Json; p_id: string }; Returns: Json }
      find_same_write: { Args: { p_invocation: Json; p_run_id: string }; Returns: Json }
      finish_oauth_refresh: {
        Args: { p_connection_id: string; p_holder: string; p_tokens: Json; p_user_id: string }
        Returns: boolean
      }
      finish_run: { Args: { p_result: Json; p_run_id: string }; Returns: Json }
      follow_run: {
        Args: { p_follower?: string; p_run_id: string; p_skip?: number; p_user_id: string }
        Returns: Json
      }
      forget_objects: { Args: { p_objects: string[] }; Returns: undefined }
      function_arguments: {
        Args: { p_function: unknown }
        Returns: {
          default_text: string
          description: string
          has_default: boolean
          mode: string
          name: string
          number: number
          of_user: boolean
          type: unknown
        }[]
      }
      function_parameters: { Args: { p_function: unknown }; Returns: Json }
      function_refusal: { Args: { p_allow_definer: boolean; p_function: unknown }; Returns: string }
      function_shape: { Args: { p_function: unknown }; Returns: string }
      get_conversation: {
        Args: { p_before?: string; p_conversation_id: string; p_limit?: number; p_user_id: string }
        Returns: Json
      }
      get_run: { Args: { p_run_id: string; p_user_id: string }; Returns: Json }
      go_on: {
        Args: {
          p_conversation: Omit<
            Database['askback']['Tables']['conversations']['Row'],
            Database['askback']['Tables']['conversations']['ComputedFields']
          >
          p_decided: Json
          p_request: Json
          p_request_hash: string
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: Json
      }
      has_foreign_answer: {
        Args: { p_answers: Json; p_conversation_id: string; p_user_id: string }
        Returns: boolean
      }
      has_read_private: { Args: { p_conversation_id: string; p_user_id: string }; Returns: boolean }
      heartbeat_run: { Args: { p_entries?: Json; p_lease_seconds?: number; p_run_id: string }; Returns: Json }
      heed_followers: {
        Args: {
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: {
          agent_id: string | null
          client: Json | null
          conversation_id: string
          decided: NonNullable<Json>
          end_unread: boolean
          finished_at: string | null
          followers: Json | null
          id: string
          lease_expires_at: string
          left_at: string | null
          message_id: string
          request_hash: string
          resumed_run_id: string | null
          root_run_id: string
          started_at: string
          status: string
          superseded_at: string | null
          told: string[]
          turn_id: string
          user_id: string
        }
        SetofOptions: {
          from: 'askback.runs'
          to: 'runs'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      history: {
        Args: {
          p_before: number
          p_bytes: number
          p_conversation_id: string
          p_messages: number
          p_unreported: Json
          p_user_id: string
        }
        Returns: Json
      }
      idempotency_key: {
        Args: {
          p_argument_hash: string
          p_repetition: number
          p_tool_name: string
          p_turn_id: string
          p_user_id: string
        }
        Returns: string
      }
      insights: { Args: { p_days?: number; p_time_zone?: string }; Returns: Json }
      integration_settings: { Args: { p_provider?: string; p_user_id: string }; Returns: Json }
      is_answered_by_later: {
        Args: {
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: boolean
      }
      is_followed: { Args: { p_followers: Json }; Returns: boolean }
      is_operator: { Args: { p_user_id: string }; Returns: boolean }
      is_same_decision: { Args: { p_again: Json; p_made: Json }; Returns: boolean }
      is_same_message: {
        Args: {
          p_posted: Json
          p_stored: Omit<
            Database['askback']['Tables']['messages']['Row'],
            Database['askback']['Tables']['messages']['ComputedFields']
          >
        }
        Returns: boolean
      }
      items_of: {
        Args: { p_conversation_ids?: string[]; p_user_id: string }
        Returns: {
          agent_id: string
          asked_at: string
          conversation_id: string
          execution_id: string
          id: string
          kind: string
          message_id: string
          tool_call_id: string
          tool_name: string
        }[]
      }
      join_answer: {
        Args: {
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: Json
      }
      keep_file_reading: {
        Args: { p_file_id: string; p_reading: Json; p_user_id: string }
        Returns: undefined
      }
      lacks_files: { Args: { p_messages: Json; p_user_id: string }; Returns: boolean }
      latest_run: { Args: { p_conversation_id: string; p_user_id: string }; Returns: Json }
      left_no_trace: {
        Args: {
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: boolean
      }
      list_agents: { Args: { p_user_id: string }; Returns: Json }
      list_api_tokens: { Args: { p_user_id: string }; Returns: Json }
      list_conversations: {
        Args: { p_archived?: boolean; p_before?: string; p_limit?: number; p_user_id: string }
        Returns: Json
      }
      list_functions: { Args: Record<PropertyKey, never>; Returns: Json }
      list_items: {
        Args: { p_agent_id?: string; p_conversation_id?: string; p_user_id: string }
        Returns: Json
      }
      list_shared_tools: { Args: Record<PropertyKey, never>; Returns: Json }
      live_execution: {
        Args: { p_idempotency_key: string; p_user_id: string }
        Returns: {
          actual_type: string | null
          argument_hash: string | null
          arguments: NonNullable<Json>
          attempt: number
          by_client: boolean
          closed: boolean
          conversation_id: string | null
          created_at: string
          delivery_id: string | null
          duration_ms: number | null
          effect: string
          effect_started_at: string | null
          error_type: string | null
          expected_type: string | null
          heard_at: string | null
          id: string
          idempotency_key: string | null
          intent: number
          lease_expires_at: string | null
          named: string
          note: Json | null
          parameter: string | null
          position: number
          repairs: NonNullable<Json>
          repeats: boolean
          repetition: number
          result: Json | null
          run_id: string | null
          session_id: string
          settled_at: string | null
          sourced: string
          status: string
          tool_call_id: string
          tool_name: string
          turn_id: string | null
          user_id: string
        }
        SetofOptions: {
          from: '*'
          to: 'tool_executions'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      load_connections: {
        Args: {
          p_agent_id?: string
          p_connection_id?: string
          p_providers: string[]
          p_tool_name?: string
          p_user_id: string
        }
        Returns: Json
      }
      load_effect: { Args: { p_effect: Json; p_user_id: string }; Returns: Json }
      load_model_choice: {
        Args: { p_agent_id?: string; p_conversation_id?: string; p_user_id: string }
        Returns: Json
      }
      load_offered_function: { Args: { p_tool_name: string }; Returns: Json }
      load_run: {
        Args: {
          p_request: Json
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: Json
      }
      lock_run: {
        Args: { p_run_id: string }
        Returns: {
          agent_id: string | null
          client: Json | null
          conversation_id: string
          decided: NonNullable<Json>
          end_unread: boolean
          finished_at: string | null
          followers: Json | null
          id: string
          lease_expires_at: string
          left_at: string | null
          message_id: string
          request_hash: string
          resumed_run_id: string | null
          root_run_id: string
          started_at: string
          status: string
          superseded_at: string | null
          told: string[]
          turn_id: string
          user_id: string
        }
        SetofOptions: {
          from: '*'
          to: 'runs'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      make_decision: { Args: { p_item: Json; p_made: Json }; Returns: Json }
      mark_connection: {
        Args: { p_connection_id: string; p_error?: string; p_status: string; p_user_id: string }
        Returns: boolean
      }
      means_the_same: {
        Args: { p_arguments: Json; p_other_arguments: Json; p_other_sourced: string; p_sourced: string }
        Returns: boolean
      }
      message_entries: {
        Args: {
          p_message: Omit<
            Database['askback']['Tables']['messages']['Row'],
            Database['askback']['Tables']['messages']['ComputedFields']
          >
          p_until?: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: Json
      }
      model_keys: { Args: { p_user_id: string }; Returns: Json }
      name_conversation: {
        Args: { p_conversation_id: string; p_first_title: string; p_title: string; p_user_id: string }
        Returns: boolean
      }
      named_files: {
        Args: { p_messages: Json }
        Returns: {
          file_id: string
          number: number
        }[]
      }
      newest_run: {
        Args: { p_conversation_id: string; p_message_id?: string; p_turn_id?: string; p_user_id: string }
        Returns: {
          agent_id: string | null
          client: Json | null
          conversation_id: string
          decided: NonNullable<Json>
          end_unread: boolean
          finished_at: string | null
          followers: Json | null
          id: string
          lease_expires_at: string
          left_at: string | null
          message_id: string
          request_hash: string
          resumed_run_id: string | null
          root_run_id: string
          started_at: string
          status: string
          superseded_at: string | null
          told: string[]
          turn_id: string
          user_id: string
        }
        SetofOptions: {
          from: '*'
          to: 'runs'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      note_act: {
        Args: { p_act: Json; p_action: string; p_run_id?: string; p_subject?: string; p_user_id?: string }
        Returns: undefined
      }
      note_effect: {
        Args: { p_delivery_id: string; p_invocation_id: string; p_note: Json; p_user_id: string }
        Returns: boolean
      }
      note_heard: {
        Args: { p_conversation_id: string; p_ids: string[]; p_user_id: string }
        Returns: undefined
      }
      note_reading: { Args: { p_read: boolean; p_run_id: string; p_user_id: string }; Returns: undefined }
      note_stop: { Args: { p_act: Json; p_run_id: string }; Returns: Json }
      note_told: { Args: { p_run_id: string; p_text: string; p_user_id: string }; Returns: undefined }
      offer_as_operator: { Args: { p_act: Json; p_function: string; p_options: Json }; Returns: Json }
      offer_function:
        | {
            Args: {
              allow_definer?: boolean
              approval?: string
              confirm?: string
              description?: string
              effect?: string
              function: string
              title?: string
            }
            Returns: string
          }
        | {
            Args: {
              allow_definer?: boolean
              approval?: string
              confirm?: string
              description?: string
              effect?: string
              procedure: unknown
              title?: string
            }
            Returns: string
          }
      offer_functions_again: {
        Args: Record<PropertyKey, never>
        Returns: {
          function: string
          refused: string
        }[]
      }
      open_connection: { Args: { p_connection_id: string; p_user_id: string }; Returns: Json }
      outcomes_of: { Args: { p_conversation_id: string; p_user_id: string }; Returns: Json }
      parked_items: { Args: { p_provider: string; p_user_id: string }; Returns: Json }
      permitted_tools: {
        Args: {
          p_agent: Omit<
            Database['askback']['Tables']['agents']['Row'],
            Database['askback']['Tables']['agents']['ComputedFields']
          >
        }
        Returns: Json
      }
      plain_name: { Args: { p_argument: string }; Returns: string }
      position_of: {
        Args: { p_conversation_id: string; p_message_id: string; p_user_id: string }
        Returns: number
      }
      prior_writes: {
        Args: {
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: Json
      }
      question_of: {
        Args: { p_conversation_id: string; p_item_id: string; p_message_id: string; p_user_id: string }
        Returns: Json
      }
      rate_message: {
        Args: {
          p_conversation_id: string
          p_message_id: string
          p_rating?: string
          p_reason?: string
          p_user_id: string
        }
        Returns: Json
      }
      read_document: { Args: { p_document_id: string; p_user_id: string }; Returns: Json }
      read_file: { Args: { p_file_id: string; p_user_id: string }; Returns: Json }
      read_linked_file: { Args: { p_file_id: string }; Returns: Json }
      read_run: { Args: { p_act: Json; p_run_id: string }; Returns: Json }
      receive_oauth: {
        Args: { p_code_hash?: string; p_flow_id: string; p_provider_code?: Json; p_state_hash: string }
        Returns: Json
      }
      record_invocations: {
        Args: {
          p_invocations: Json
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: undefined
      }
      record_usage: {
        Args: {
          p_entries: Json
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: undefined
      }
      refusal: { Args: { p_code: string }; Returns: Json }
      refuse_offer: { Args: { p_reason: string }; Returns: undefined }
      remove_connection: { Args: { p_connection_id: string; p_user_id: string }; Returns: Json }
      remove_follower: {
        Args: { p_follower: string; p_run_id: string; p_user_id: string }
        Returns: undefined
      }
      renew_follower: {
        Args: { p_follower: string; p_run_id: string; p_user_id: string }
        Returns: undefined
      }
      restore_document: {
        Args: { p_document_id: string; p_idempotency_key: string; p_revision: number; p_user_id: string }
        Returns: Json
      }
      return_answer: {
        Args: {
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: Json
      }
      revoke_api_token: { Args: { p_token_id: string; p_user_id: string }; Returns: boolean }
      run_facts: {
        Args: {
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: Json
      }
      run_of_request: {
        Args: {
          p_agent_id: string
          p_conversation: Omit<
            Database['askback']['Tables']['conversations']['Row'],
            Database['askback']['Tables']['conversations']['ComputedFields']
          >
          p_key: string
          p_turn_id: string
        }
        Returns: {
          agent_id: string | null
          client: Json | null
          conversation_id: string
          decided: NonNullable<Json>
          end_unread: boolean
          finished_at: string | null
          followers: Json | null
          id: string
          lease_expires_at: string
          left_at: string | null
          message_id: string
          request_hash: string
          resumed_run_id: string | null
          root_run_id: string
          started_at: string
          status: string
          superseded_at: string | null
          told: string[]
          turn_id: string
          user_id: string
        }
        SetofOptions: {
          from: '*'
          to: 'runs'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      run_view: {
        Args: {
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: Json
      }
      said_in: { Args: { p_entry: Json }; Returns: string }
      same_write: {
        Args: {
          p_invocation: Json
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: {
          actual_type: string | null
          argument_hash: string | null
          arguments: NonNullable<Json>
          attempt: number
          by_client: boolean
          closed: boolean
          conversation_id: string | null
          created_at: string
          delivery_id: string | null
          duration_ms: number | null
          effect: string
          effect_started_at: string | null
          error_type: string | null
          expected_type: string | null
          heard_at: string | null
          id: string
          idempotency_key: string | null
          intent: number
          lease_expires_at: string | null
          named: string
          note: Json | null
          parameter: string | null
          position: number
          repairs: NonNullable<Json>
          repeats: boolean
          repetition: number
          result: Json | null
          run_id: string | null
          session_id: string
          settled_at: string | null
          sourced: string
          status: string
          tool_call_id: string
          tool_name: string
          turn_id: string | null
          user_id: string
        }
        SetofOptions: {
          from: '*'
          to: 'tool_executions'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      sealed_json: {
        Args: {
          p_secret: Omit<
            Database['askback']['Tables']['connection_secrets']['Row'],
            Database['askback']['Tables']['connection_secrets']['ComputedFields']
          >
        }
        Returns: Json
      }
      search_conversations: {
        Args: { p_before?: string; p_limit?: number; p_query: string; p_user_id: string }
        Returns: Json
      }
      search_documents: {
        Args: { p_limit: number; p_offset: number; p_query: string; p_user_id: string }
        Returns: Json
      }
      session_of: {
        Args: { p_intent: number; p_invocation_id: string; p_root_run_id: string }
        Returns: string
      }
      settle_invocation: {
        Args: {
          p_delivery_id?: string
          p_duration_ms?: number
          p_entries?: Json
          p_invocation_id: string
          p_result: Json
          p_run_id?: string
          p_status: string
          p_user_id: string
        }
        Returns: Json
      }
      split_condition: { Args: { p_condition: string }; Returns: string[] }
      start_run: {
        Args: {
          p_agent_id: string
          p_client?: Json
          p_conversation: Omit<
            Database['askback']['Tables']['conversations']['Row'],
            Database['askback']['Tables']['conversations']['ComputedFields']
          >
          p_decided?: Json
          p_goes_on_with?: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
          p_lease_seconds: number
          p_message_ids?: string[]
          p_messages?: Json
          p_request_hash: string
          p_run_id: string
          p_turn_id: string
        }
        Returns: {
          agent_id: string | null
          client: Json | null
          conversation_id: string
          decided: NonNullable<Json>
          end_unread: boolean
          finished_at: string | null
          followers: Json | null
          id: string
          lease_expires_at: string
          left_at: string | null
          message_id: string
          request_hash: string
          resumed_run_id: string | null
          root_run_id: string
          started_at: string
          status: string
          superseded_at: string | null
          told: string[]
          turn_id: string
          user_id: string
        }
        SetofOptions: {
          from: '*'
          to: 'runs'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      stop_account: { Args: { p_user_id: string }; Returns: Json }
      stop_other_messages: {
        Args: {
          p_conversation: Omit<
            Database['askback']['Tables']['conversations']['Row'],
            Database['askback']['Tables']['conversations']['ComputedFields']
          >
          p_message: string
          p_run_id: string
        }
        Returns: undefined
      }
      stop_run: { Args: { p_conversation_id: string; p_user_id: string }; Returns: Json }
      stop_runs: {
        Args: { p_conversation_id: string; p_user_id: string }
        Returns: {
          agent_id: string | null
          client: Json | null
          conversation_id: string
          decided: NonNullable<Json>
          end_unread: boolean
          finished_at: string | null
          followers: Json | null
          id: string
          lease_expires_at: string
          left_at: string | null
          message_id: string
          request_hash: string
          resumed_run_id: string | null
          root_run_id: string
          started_at: string
          status: string
          superseded_at: string | null
          told: string[]
          turn_id: string
          user_id: string
        }
        SetofOptions: {
          from: '*'
          to: 'runs'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      store_connection: { Args: { p_connection: Json; p_user_id: string }; Returns: Json }
      store_file: {
        Args: { p_content?: string; p_file: Json; p_limit: number; p_user_id: string }
        Returns: string
      }
      store_messages: {
        Args: {
          p_ids: string[]
          p_messages: Json
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: undefined
      }
      store_oauth_connection: { Args: { p_connection: Json; p_user_id: string }; Returns: Json }
      stuck_runs: { Args: { p_act: Json }; Returns: Json }
      sweep_files: { Args: { p_user_id: string }; Returns: Json }
      switch_tool: { Args: { p_act: Json; p_enabled: boolean; p_tool_name: string }; Returns: boolean }
      switched_off_reason: { Args: { p_tool_name: string }; Returns: string }
      take_items: {
        Args: {
          p_entries: Json
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: undefined
      }
      take_oauth: { Args: { p_code_hash: string; p_taker: string; p_user_id: string }; Returns: Json }
      tell_closed: { Args: { p_conversation_id: string; p_user_id: string }; Returns: undefined }
      tell_conversations: {
        Args: {
          p_conversations: Database['askback']['Tables']['conversations']['Row'][]
          p_found?: Json
          p_limit: number
        }
        Returns: Json
      }
      text_list: { Args: { p_list: Json }; Returns: string[] }
      token_json: {
        Args: {
          p_token: Omit<
            Database['askback']['Tables']['api_tokens']['Row'],
            Database['askback']['Tables']['api_tokens']['ComputedFields']
          >
        }
        Returns: Json
      }
      type_schema: { Args: { p_type: unknown; p_typmod?: number }; Returns: Json }
      typed_words: {
        Args: {
          p_message: Omit<
            Database['askback']['Tables']['messages']['Row'],
            Database['askback']['Tables']['messages']['ComputedFields']
          >
        }
        Returns: string
      }
      unreported_writes: {
        Args: { p_before: number; p_conversation_id: string; p_messages: number; p_user_id: string }
        Returns: Json
      }
      usable_connections: {
        Args: {
          p_agent_id?: string
          p_connection_id?: string
          p_providers: string[]
          p_tool_name?: string
          p_user_id: string
        }
        Returns: Json
      }
      use_api_token: { Args: { p_hash: string }; Returns: Json }
      use_files: { Args: { p_ids: string[] }; Returns: undefined }
      used_tools: {
        Args: {
          p_run: Omit<
            Database['askback']['Tables']['runs']['Row'],
            Database['askback']['Tables']['runs']['ComputedFields']
          >
        }
        Returns: Json
      }
      user_claims: { Args: { p_user_id: string }; Returns: Json }
      user_facts: { Args: { p_user_id: string }; Returns: Json }
      verify_invocation: { Args: { p_invocation_id: string; p_user_id: string }; Returns: Json }
      version: { Args: Record<PropertyKey, never>; Returns: Json }
      wake_chat: { Args: Record<PropertyKey, never>; Returns: undefined }
      watched_run: {
        Args: { p_run_id: string; p_user_id: string }
        Returns: {
          agent_id: string | null
          client: Json | null
          conversation_id: string
          decided: NonNullable<Json>
          end_unread: boolean
          finished_at: string | null
          followers: Json | null
          id: string
          lease_expires_at: string
          left_at: string | null
          message_id: string
          request_hash: string
          resumed_run_id: string | null
          root_run_id: string
          started_at: string
          status: string
          superseded_at: string | null
          told: string[]
          turn_id: string
          user_id: string
        }
        SetofOptions: {
          from: '*'
          to: 'runs'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      whole_entries: {
        Args: {
          p_message: Omit<
            Database['askback']['Tables']['messages']['Row'],
            Database['askback']['Tables']['messages']['ComputedFields']
          >
        }
        Returns: Json
      }
      withdraw_as_operator: { Args: { p_act: Json; p_function: string }; Returns: boolean }
      withdraw_function:
        | { Args: { function: string }; Returns: boolean }
        | { Args: { procedure: unknown }; Returns: boolean }
      word_mark: { Args: { p_user_id: string }; Returns: string }
      words_of: { Args: { p_text: string }; Returns: string[] }
      write_document: { Args: { p_content: string; p_document_id: string }; Returns: number }
      write_outcomes: { Args: { p_run_id: string; p_tool_call_ids: string[] }; Returns: Json }
    }
    Enums: {
      [_ in never]: never
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
}

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, 'askback'>]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    ? (DefaultSchema['Tables'] & DefaultSchema['Views'])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema['Tables']
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema['Tables']
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema['Enums']
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums']
    : never = never,
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums'][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema['Enums']
    ? DefaultSchema['Enums'][DefaultSchemaEnumNameOrOptions]
    : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema['CompositeTypes']
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes']
    : never = never,
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes'][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema['CompositeTypes']
    ? DefaultSchema['CompositeTypes'][PublicCompositeTypeNameOrOptions]
    : never

export const Constants = {
  askback: {
    Enums: {},
  },
} as const
