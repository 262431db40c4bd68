/** The tables for Kysely. */
export interface DiscoveryTables {
  discovery_platforms: {
    agent_id: string;
    pubkey: string;
    canonical_d: string;
    status: string;
    trust_score: number | null;
    discovered_at: number;
    last_seen_at: number;
    revision: number;
    entry: string;
    /** See `evictionClassOf`. */
    eviction_class: number | null;
    ordinal: number;
  };
  discovery_terms: {
    agent_id: string;
    term: string;
    status: string;
    /** The rank of the entry, see `rankOf`. Lower comes first. */
    distance: number;
    pubkey: string;
    canonical_d: string;
  };
  discovery_audit: {
    agent_id: string;
    pubkey: string;
    canonical_d: string;
    revision: number;
    position: number;
    at: number;
    what: string;
    row_json: string;
  };
  discovery_deletions: { agent_id: string; pubkey: string; target: string; at: number };
  discovery_recommendations: {
    agent_id: string;
    recommender: string;
    kind: number;
    event_id: string;
    created_at: number;
    handlers: string;
    /** 1 if its recommender was known when it was stored, else 0. */
    is_known: number;
  };
  discovery_recommended: {
    agent_id: string;
    pubkey: string;
    canonical_d: string;
    recommender: string;
    kind: number;
  };
  discovery_state: { agent_id: string; key: string; value: string };
}
