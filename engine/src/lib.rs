//! From a resource and what it refers to, to the Secret it describes and its status.
